/** What each of Lucide's icons is and takes (tsconfig.json): build/icons.ts draws them. */
import type { Component } from 'svelte'

interface Props {
  size?: number | string
  strokeWidth?: number
  /** An icon without one is hidden from screen readers. */
  'aria-label'?: string
  'aria-hidden'?: 'true'
}

declare const Icon: Component<Props>
export default Icon
