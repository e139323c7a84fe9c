import * as assert from 'uvu/assert'
import { holds, records } from '../client.js'
import { type Row, refuses, works } from '../endpoint.js'
import type { World } from '../world.js'

const SECTIONS = ['db', 'redis', 'llm', 'plugins', 'server']

/** Reloads with these sections in the file, and afterwards without them again. */
function reloaded({ hub, by, admin }: World, sections: Readonly<Record<string, unknown>> | null) {
  hub.reconfigure(sections)
  return async () => {
    hub.reconfigure({})
    await by(admin).post('/admin/config/reload')
  }
}

/** Section 4, Administration: the configuration. What a reload does to requests under way has tests of its own. */
export const reloadRows: readonly Row[] = [
  {
    row: 'POST /admin/config/reload',
    sample: () => ({}),
    cases: [
      works('nothing changed: five sections, all unchanged', {
        check: ({ body }) =>
          assert.equal(body, { sections: SECTIONS.map((section) => ({ section, status: 'unchanged' })) })
      }),
      works('other plugins: reloaded, and served from then on', (world) => {
        const plugins = { catalogs: ['https://plugins.example.com/catalog.json'], trusted: [] }
        const restore = reloaded(world, { plugins })
        return {
          check: async (reply) => {
            holds(records(reply, 'sections')[3], { section: 'plugins', status: 'reloaded' })
            assert.equal((await world.by(world.owner).get('/plugins/sources')).body, plugins)
            await restore()
          }
        }
      }),
      works('what a restart alone puts in force is named, and so is each other section that changed', (world) => {
        const restore = reloaded(world, {
          server: { host: '127.0.0.1', port: 2, bodyLimitMb: 2, cors: { origins: ['https://page.example'] } },
          logging: { level: 'warn' },
          metrics: { path: '/elsewhere' },
          console: false,
          audit: { address: 'truncated' }
        })
        const keys = 'server.host or server.port, server.bodyLimitMb, server.cors, logging.level, metrics.path, console'
        const restart = (section: string, key: string) => ({
          ...{ section, status: 'restart-required' },
          error: `Changes to ${key} require a full process restart.`
        })
        return {
          check: async (reply) => {
            await restore()
            assert.equal(records(reply, 'sections').at(-1), restart('server', keys))
            assert.equal(records(reply, 'others'), [
              restart('logging', 'logging.level'),
              restart('metrics', 'metrics.path'),
              restart('console', 'console'),
              { section: 'audit', status: 'reloaded' }
            ])
          }
        }
      }),
      refuses(400, null, 'a file that cannot be read: fatalError and no sections', (world) => {
        const restore = reloaded(world, null)
        return {
          alsoSays: ['sections', 'fatalError'],
          check: async ({ body }) => {
            holds(body, { sections: [], fatalError: Object(body).error })
            assert.is((await world.by(world.owner).get('/collections')).status, 200)
            await restore()
          }
        }
      })
    ]
  }
]
