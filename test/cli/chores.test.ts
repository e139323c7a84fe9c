import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import * as assert from 'uvu/assert'
import { startChores } from '../../cli/chores.js'
import { migrate } from '../../migrations/migrate.js'
import { tables } from '../../projections/index.js'
import { readCheckpoint } from '../../src/audit/checkpoint.js'
import { parseConfig } from '../../src/config/load.js'
import { openLedger, systemAgent } from '../../src/ledger.js'
import type { LiveHub } from '../../src/live.js'
import { createMemoryThrottle } from '../../src/throttle/memory.js'
import { memoryDatabase } from '../contract/databases.js'
import { temporaryDirectory } from '../support/databases.js'
import { suite } from '../support/suite.js'

const test = suite('what a running hub does from time to time')
const MINUTE_MS = 10
const DAY_MS = 86_400_000

/** A hub on a log in memory whose first event is two days old, and the lines that it logs. */
async function hub(audit: object) {
  const directory = await temporaryDirectory()
  const text = JSON.stringify({
    server: { host: '127.0.0.1', port: 1 },
    db: { driver: 'sqlite', path: 'unused' },
    redis: { driver: 'memory' },
    audit: { checkpointKeyFile: join(directory.path, 'key.pem'), ...audit }
  })
  const { config } = parseConfig(text, 'server.yaml', directory.path, {})
  const storage = await (await memoryDatabase()).open(tables)
  await migrate(storage)
  let now = Date.now() - 2 * DAY_MS
  const ledger = await openLedger(
    storage,
    () => null,
    undefined,
    () => now
  )
  await ledger.run({ type: 'CreateSystemAccount' }, { ...systemAgent, address: '192.0.2.1' })
  now = Date.now()
  const lines: Record<string, unknown>[] = []
  const logger = pino({}, { write: (line) => void lines.push(JSON.parse(line)) })
  const live: Pick<LiveHub, 'hub'> = { hub: { config, ledger, throttle: createMemoryThrottle(), llm: null } }
  return { live, logger, lines, storage, remove: directory.remove }
}

const until = async (holds: () => unknown) => {
  while (!(await holds())) await sleep(5)
}

test('a signed checkpoint goes to the log output as often as the configuration says', async () => {
  const { live, logger, lines, storage, remove } = await hub({ checkpointEveryMinutes: 2 })
  const stop = startChores(live, logger, MINUTE_MS)
  await until(() => lines.length >= 2)
  await stop()
  const checkpoint = readCheckpoint(JSON.stringify(lines[0]?.checkpoint))
  const head = await storage.head()
  assert.equal([checkpoint.position, checkpoint.chain], [head.position, head.chain])
  await remove()
})

test('what has expired is erased soon after the start', async () => {
  const { live, logger, storage, remove } = await hub({ retentionDays: 1 })
  const stop = startChores(live, logger, MINUTE_MS)
  await until(async () => (await storage.readLog(0, 1))[0]?.who.text === null)
  await stop()
  await remove()
})

test('without either in the configuration nothing is done', async () => {
  const { live, logger, lines, storage, remove } = await hub({})
  const stop = startChores(live, logger, MINUTE_MS)
  await sleep(20 * MINUTE_MS)
  await stop()
  assert.equal([lines.length, (await storage.head()).position], [0, 1])
  await remove()
})

test.run()
