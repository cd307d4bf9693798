/** Opens the page again as soon as the hub answers. */
async function comeBack() {
  try {
    await fetch('/healthz', { cache: 'no-store' })
    location.reload()
  } catch {
    setTimeout(comeBack, 5_000)
  }
}

addEventListener('online', () => location.reload())
setTimeout(comeBack, 5_000)
