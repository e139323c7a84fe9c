import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import type { WebhookContent } from '../../commands/webhooks/events.js'
import { webhooksTable } from '../../commands/webhooks/table.js'
import { migrate } from '../../migrations/migrate.js'
import { openStorage } from '../../src/app/databases.js'
import { LiveHub } from '../../src/app/live.js'
import { parseConfig } from '../../src/config/load.js'
import { WebhookDispatcher } from '../../src/followers/webhooks/dispatcher.js'
import type { WebhookRow } from '../../src/followers/webhooks/message.js'
import { deliveryReport } from '../../src/followers/webhooks/report.js'
import { type CommandOrigin, type Ledger, systemOrigin } from '../../src/ledger/ledger.js'
import { type Driver, type Place, sqlite } from '../http/drivers.js'
import { onceAfterwards } from '../support/afterwards.js'
import { temporaryDirectory } from '../support/databases.js'

const LIMITS = { maxFailures: 1000, windowSeconds: 900, blockSeconds: 900, maxFailuresPerAddress: 1000 }

/** A hub without a server, that delivers. */
export interface Delivering {
  readonly ledger: Ledger
  readonly live: LiveHub
  /** What the operator was told, a line each. */
  readonly log: readonly string[]
  subscribe(content: Partial<WebhookContent> & { readonly url: string }, by?: CommandOrigin): Promise<WebhookRow>
  row(id: string): Promise<WebhookRow>
  secretOf(row: WebhookRow): string
  report(row: WebhookRow): ReturnType<typeof deliveryReport>
  /** A change: the id of a new collection. */
  change(by: CommandOrigin, id?: string): Promise<string>
  /** Moves the clock forward. */
  pass(time_ms: number): void
  /** Another hub on the same log, with the same key. */
  again(): Promise<Delivering>
  /** True where nothing waits to be delivered. */
  isCaughtUp(): boolean
  /** Delivers no more. */
  rest(): Promise<void>
  stop(): Promise<void>
}

interface DeliveringOptions {
  readonly driver?: Driver
  /** Over what is usual here: deliveries to 127.0.0.1 are allowed. */
  readonly webhooks?: Readonly<Record<string, unknown>>
}

/** Starts a hub on a database of its own, which stops with the test, as those do that are started beside it. */
export async function startDelivering({ driver = sqlite, webhooks }: DeliveringOptions = {}): Promise<Delivering> {
  const [place, directory] = [await driver.open('webhooks', LIMITS), await temporaryDirectory()]
  const settings = {
    keyFile: `${directory.path}/webhook-key`,
    allowPrivateAddresses: ['127.0.0.1'],
    timeoutSeconds: 20,
    ...webhooks
  }
  const storage = await openStorage(place.db)
  await migrate(storage)
  await storage.close()
  const clock = { ahead_ms: 0 }
  const first = await open(place, settings, clock)
  await first.ledger.run({ type: 'CreateSystemAccount' }, systemOrigin)
  return {
    ...first,
    stop: onceAfterwards(async () => {
      await first.stop()
      await place.remove()
      await directory.remove()
    })
  }
}

/** Tests subscribe right after the start. */
const PACE = { idle_ms: 20 }

async function open(place: Place, settings: object, clock: { ahead_ms: number }): Promise<Delivering> {
  const { db, redis } = place
  const file = JSON.stringify({ server: { host: '127.0.0.1', port: 1 }, db, redis, webhooks: settings })
  const log: string[] = []
  const logger = pino({ level: 'debug' }, { write: (line) => void log.push(line) })
  const now = () => Date.now() + clock.ahead_ms
  const live = await LiveHub.open(
    () => parseConfig(file, 'server.yaml', process.cwd(), {}),
    () => logger,
    { now }
  )
  const { ledger, webhooks } = live.hub
  if (!webhooks) throw new Error('The configuration has webhooks.')
  const dispatcher = new WebhookDispatcher(live, logger, PACE)
  const row = async (id: string) => {
    await ledger.readModel.current()
    const found = await ledger.readModel.get(webhooksTable, id)
    if (!found) throw new Error('There is no such webhook.')
    return found
  }
  return {
    ledger,
    live,
    log,
    row,
    async subscribe(content, by = systemOrigin) {
      const whole = { kinds: [], types: [], collectionId: null, description: '', ...content }
      const id = randomUUID()
      await ledger.run({ type: 'CreateWebhook', id, content: whole }, by)
      return row(id)
    },
    secretOf: ({ id, secretVersion }) => webhooks.key.secretOf(id, secretVersion),
    report: (one) => deliveryReport(ledger, one),
    async change(by, id = randomUUID()) {
      await ledger.run({ type: 'CreateCollection', id, name: `Collection ${id}` }, by)
      return id
    },
    pass(time_ms) {
      clock.ahead_ms += time_ms
      ledger.tail.wakeAll()
    },
    again: () => open(place, settings, clock),
    isCaughtUp: () => !dispatcher.isBehind,
    rest: () => dispatcher.stop(),
    stop: onceAfterwards(async () => {
      await dispatcher.stop()
      await live.close()
    })
  }
}

/** Resolves when it holds. The test's own limit ends the wait. */
export async function until(holds: () => unknown): Promise<void> {
  while (!(await holds())) await sleep(10)
}
