import type { Usage } from './child.js'

/** A server that listens, in the process that was started for it. */
export interface Served {
  readonly port: number
  close(): Promise<void>
}

/**
 * The child's side of `startChild`: opens the server, tells its port, then answers until nobody is there to ask. `more` is told
 * beside what every child tells.
 */
export async function serve<Input>(
  open: (input: Input) => Promise<Served>,
  more: () => object = () => ({})
): Promise<void> {
  // An interrupt reaches the whole group; the starter decides when this process ends.
  process.on('SIGINT', () => {})
  const input = await new Promise<Input>((resolve) => {
    process.once('message', (message: { readonly question: Input }) => resolve(message.question))
  })
  const { port, close } = await open(input)
  process.on('message', () => process.send?.({ ...usage(), ...more() }))
  process.once('disconnect', () => void close().then(() => process.exit()))
  process.send?.(port)
}

function usage(): Usage {
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  const peak_rss_bytes = process.resourceUsage().maxRSS * 1024
  return { cpu_us: user + system, rss_bytes: rss, peak_rss_bytes, heap_bytes: heapUsed }
}
