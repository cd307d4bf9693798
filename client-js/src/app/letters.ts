/** The least size of a letter in a drawing, in pixels of the screen. */
const LEAST = 11.2

/** The font size, in the units of a drawing, of letters meant to be `size` units high, if a unit takes `scale` pixels. */
export function legible(size: number, scale: number): number {
  return Math.max(size, LEAST / scale)
}
