/**
 * Keeps the screen on while somebody plays: with the browser's wake lock, or, on plain http, where there is none, with
 * a silent video.
 *
 * What each browser asks of such a video: Chromium, that it is in view and large, or can be heard (video_wake_lock.cc);
 * Firefox, that it has a sound track (HTMLVideoElement.cpp); WebKit, the same, and that it is neither muted nor looped
 * (HTMLMediaElement.cpp). So it lies behind the whole page, almost transparent, and starts over by itself.
 */
import { notify } from './announce.svelte.ts'
import { t } from './language.ts'

/** Keep the screen on until the returned function is called. */
export function stayAwake(): () => void {
  return 'wakeLock' in navigator ? hold() : play()
}

/** The lock is lost whenever the page is hidden, and taken again when it is shown. */
function hold(): () => void {
  let lock: WakeLockSentinel | null = null
  let over = false
  const take = (): void => {
    if (document.visibilityState !== 'visible' || over) return
    navigator.wakeLock.request('screen').then(
      (sentinel) => {
        if (over) void sentinel.release()
        else lock = sentinel
      },
      () => undefined, // refused in order to save power: the screen may go dark, which does no other harm
    )
  }
  document.addEventListener('visibilitychange', take)
  take()
  return () => {
    over = true
    document.removeEventListener('visibilitychange', take)
    void lock?.release()
  }
}

/** Seconds of the video; it starts over before its end. */
const LENGTH = 10

function play(): () => void {
  const video = document.createElement('video')
  video.className = 'awake'
  video.playsInline = true
  video.muted = !('GestureEvent' in window) // only WebKit has it, and no video that is muted keeps it awake
  video.disableRemotePlayback = true
  video.ariaHidden = 'true'
  video.tabIndex = -1
  for (const [type, path] of [
    ['video/mp4', '/awake.mp4'],
    ['video/webm', '/awake.webm'],
  ] as const) {
    const source = document.createElement('source')
    source.type = type
    source.src = path
    video.append(source)
  }
  video.addEventListener('timeupdate', () => {
    if (video.currentTime > LENGTH / 2) video.currentTime = 0
  })
  document.body.append(video)
  const start = (): void => {
    if (document.visibilityState !== 'visible' || !video.paused) return
    video.play().then(tellOnce, () => undefined) // refused until somebody has tapped the page
  }
  const events = ['pointerup', 'keydown', 'visibilitychange'] as const
  for (const event of events) document.addEventListener(event, start)
  start()
  return () => {
    for (const event of events) document.removeEventListener(event, start)
    video.pause()
    video.remove()
  }
}

/** In this browser's storage: that its person knows what the video is for. */
const TOLD = 'parley.awake'

function tellOnce(): void {
  if (localStorage.getItem(TOLD) !== null) return
  localStorage.setItem(TOLD, 'told')
  notify(t('awake.about'))
}
