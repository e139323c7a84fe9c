import { type Place, sqlite } from '../../http/drivers.js'
import { assertNoCrash } from '../../http/hub-suite.js'
import { type HubOptions, startBeside, startHub, type TestHub } from '../../http/support.js'

/** What a hub under the console goes by as time: it stands still until somebody moves it. */
export interface StoppedClock {
  now(): number
  /** Moves it to a moment that is not before. */
  set(moment: string): void
  /** Moves it on. */
  pass(minutes: number): void
}

type Running = Pick<TestHub, 'url' | 'send' | 'run' | 'log'> & { stop(): Promise<void> }

/** A hub that pages look at, and that can go away under them. */
export interface ConsoleHub extends Pick<TestHub, 'hub' | 'admin' | 'url' | 'send' | 'run'> {
  readonly clock: StoppedClock
  /** Ends it: nobody answers at its address any more. */
  stop(): Promise<void>
  /** Starts it again at the same address and on the same database; sections of its configuration may be others. */
  start(sections?: HubOptions['config']): Promise<void>
  /** Where its database is. */
  readonly place: Place
  /** Ends it for good. Throws where a request has ended in what nobody expected. */
  close(): Promise<void>
}

/** Models that accounts may be given; nothing of the tests asks them anything. */
const llm = { providers: { openai: { apiKey: 'unused' }, claude: { apiKey: 'unused' } } }
const MINUTE_MS = 60_000

/** A Monday morning: what is before it, nobody has done. */
export const BEGINNING = '2026-02-23T08:00:00.000Z'

/** What another hub has left: its database, its administrator, and what its clock stood at. */
export interface Left extends Pick<TestHub, 'place' | 'admin'> {
  readonly moment: string
}

/** A hub with the console as it was built, a stopped clock, and one administrator; or one that goes on where another has ended. */
export async function startConsoleHub(given: HubOptions = {}, left?: Left): Promise<ConsoleHub> {
  const clock = stoppedClock(left?.moment ?? BEGINNING)
  const options = { now: clock.now, ...given, config: { llm, ...given.config } }
  const beside = async (at: Pick<TestHub, 'place'>, options: HubOptions) => {
    const { close, ...running } = await startBeside(at, options)
    return { ...running, stop: close }
  }
  const first = left ? { ...left, ...(await beside(left, options)) } : await startHub(sqlite, options)
  const port = Number(new URL(first.url).port)
  const all: Pick<TestHub, 'log'>[] = [first]
  let running: Running | null = first
  const current = () => {
    if (!running) throw new Error('The hub is stopped.')
    return running
  }
  const stop = async () => {
    await running?.stop()
    running = null
  }
  return {
    hub: first.hub,
    place: first.place,
    url: first.url,
    admin: first.admin,
    clock,
    send: (call) => current().send(call),
    run: (command) => current().run(command),
    stop,
    async start(sections) {
      await stop()
      running = await beside(first, { ...options, config: { ...options.config, ...sections }, port })
      all.push(running)
    },
    async close() {
      await stop()
      await first.place.remove()
      for (const one of all) assertNoCrash(one)
    }
  }
}

function stoppedClock(beginning: string): StoppedClock {
  let time = Date.parse(beginning)
  const move = (to: number) => {
    if (Number.isNaN(to) || to < time) throw new Error(`The clock is at ${new Date(time).toISOString()}.`)
    time = to
  }
  return {
    now: () => time,
    set: (moment) => move(Date.parse(moment)),
    pass: (minutes) => move(time + minutes * MINUTE_MS)
  }
}
