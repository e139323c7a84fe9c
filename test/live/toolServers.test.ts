import { pino } from 'pino'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { LiveHub } from '../../src/app/live.js'
import { migrateDatabase } from '../../src/app/start.js'
import { parseConfig } from '../../src/config/load.js'
import { streamableServer } from '../llm/mcp/servers.js'
import { echo } from '../llm/mcp/support.js'
import { temporaryDirectory } from '../support/databases.js'
import { suite } from '../support/suite.js'

const test = suite('the tool servers of a hub')

const line = z.object({ msg: z.string(), server: z.string(), tools: z.number() })

test('are connected at start and at a reload, before any chat, and the log says so', async () => {
  const { path } = await temporaryDirectory()
  const servers = await Promise.all([streamableServer({ tools: echo }), streamableServer({ tools: echo })])
  const [first, second] = servers.map(({ url }, i) => ({ name: `tools ${i}`, url }))
  let mcp: readonly unknown[] = [first]
  const load = () =>
    parseConfig(
      JSON.stringify({
        server: { host: '127.0.0.1', port: 1 },
        db: { driver: 'sqlite', path: 'hub.sqlite' },
        redis: { driver: 'memory' },
        llm: { providers: { openai: { apiKey: 'sk-test' } }, mcp }
      }),
      'server.yaml',
      path,
      {}
    )
  const told: unknown[] = []
  let tell = () => {}
  const write = (text: string) => {
    told.push(JSON.parse(text))
    tell()
  }
  const saying = (server: string) =>
    new Promise<z.infer<typeof line>>((resolve) => {
      tell = () => {
        const found = told.flatMap((one) => line.safeParse(one).data ?? []).find((one) => one.server === server)
        if (found) resolve(found)
      }
      tell()
    })
  try {
    await migrateDatabase(load().config)
    const live = await LiveHub.open(load, () => pino({}, { write }))
    const connected = { msg: 'A tool server is connected', tools: 1 }
    assert.equal(await saying('tools 0'), { ...connected, server: 'tools 0' })
    mcp = [first, second]
    await live.reload()
    assert.equal(await saying('tools 1'), { ...connected, server: 'tools 1' })
    for (const { requests } of servers) assert.is(requests.filter((one) => one.endsWith('initialize')).length, 1)
    await live.close()
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
})

test.run()
