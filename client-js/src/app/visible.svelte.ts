/** Whether this page is in front, as reactive state. */
import { createSubscriber } from 'svelte/reactivity'

const subscribe = createSubscriber((update) => {
  document.addEventListener('visibilitychange', update)
  return () => document.removeEventListener('visibilitychange', update)
})

export const page = {
  get visible(): boolean {
    subscribe()
    return document.visibilityState === 'visible'
  },
}
