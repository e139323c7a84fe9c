// node ready.mjs [--wait SECONDS]: ends with 0 once the hub is ready for requests, with 1 and the reason where it is not.
// READY_URL says where to ask; by default port 8787 of this machine, or that of HUB_SERVER_PORT.
const url = process.env.READY_URL ?? `http://127.0.0.1:${process.env.HUB_SERVER_PORT || 8787}/readyz`
const [option, seconds = '0'] = process.argv.slice(2)
const until_ms = performance.now() + (option === '--wait' ? Number(seconds) * 1000 : 0)
const ASK_MS = 4000
const PAUSE_MS = 250

/** Null where the hub is ready, else why it is not. */
async function problem() {
  try {
    const signal = AbortSignal.timeout(ASK_MS)
    const { status } = await fetch(url, { signal })
    return status === 200 ? null : `answered ${status}`
  } catch (error) {
    return error.cause?.code ?? error.name
  }
}

let why = await problem()
while (why !== null && performance.now() < until_ms) {
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  why = await problem()
}
if (why !== null) {
  process.stderr.write(`The hub is not ready: ${url} ${why}\n`)
  process.exitCode = 1
}
