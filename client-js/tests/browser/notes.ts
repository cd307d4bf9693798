/** Counts the notes played, in place of a loudspeaker that no test can hear. */
export const COUNT_NOTES = `{
  globalThis.notes = []
  const { start } = OscillatorNode.prototype
  OscillatorNode.prototype.start = function (at) {
    notes.push(Math.round(this.frequency.value))
    start.call(this, at)
  }
}`
