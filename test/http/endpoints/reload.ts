import * as assert from 'uvu/assert'
import { type Endpoint, refuses, works } from '../endpoint.js'
import { exactly, reloadReport } from '../shapes.js'
import type { World } from '../world.js'

const SECTIONS = ['db', 'redis', 'llm', 'plugins', 'server']

/** Reloads with these sections in the file, and afterwards without them again. */
async function reloaded(world: World, sections: Readonly<Record<string, unknown>> | null) {
  world.hub.reconfigure(sections)
  return async () => {
    world.hub.reconfigure({})
    await world.by(world.admin).post('/admin/config/reload')
  }
}

/** The statuses of a report, in the order of the sections. */
function statusesIn(body: unknown): readonly string[] {
  const { sections } = exactly(reloadReport, body)
  assert.equal(
    sections.map(({ section }) => section),
    SECTIONS
  )
  return sections.map(({ status }) => status)
}

/** Section 4, Administration: the configuration. What a reload does to requests under way has tests of its own. */
export const reloadEndpoints: readonly Endpoint[] = [
  {
    row: 'POST /admin/config/reload',
    access: 'admin',
    success: 200,
    refusals: [400, 403],
    sample: () => ({}),
    cases: [
      works('nothing changed: five sections, all unchanged', () => ({
        check: ({ body }) => assert.equal(statusesIn(body), Array(5).fill('unchanged'))
      })),
      works('other plugins: reloaded, and served from then on', async (world) => {
        const plugins = { catalogs: ['https://plugins.example.com/catalog.json'], trusted: [] }
        const restore = await reloaded(world, { plugins })
        return {
          check: async ({ body }) => {
            assert.is(statusesIn(body)[3], 'reloaded')
            assert.equal((await world.by(world.owner).get('/plugins/sources')).body, plugins)
            await restore()
          }
        }
      }),
      works('another port: restart-required', async (world) => {
        const restore = await reloaded(world, { server: { host: '127.0.0.1', port: 2 } })
        return {
          check: async ({ body }) => {
            assert.is(statusesIn(body)[4], 'restart-required')
            await restore()
          }
        }
      }),
      works('what a restart alone puts in force is named, and so is each other section that changed', async (world) => {
        const restore = await reloaded(world, {
          server: { host: '127.0.0.1', port: 1, bodyLimitMb: 2, cors: { origins: ['https://page.example'] } },
          logging: { level: 'warn' },
          metrics: { path: '/elsewhere' },
          console: false,
          audit: { address: 'truncated' }
        })
        const keys = 'server.bodyLimitMb, server.cors, logging.level, metrics.path, console'
        const restart = (section: string, key: string) => ({
          ...{ section, status: 'restart-required' },
          error: `Changes to ${key} require a full process restart.`
        })
        return {
          check: async ({ body }) => {
            const { sections, others } = exactly(reloadReport, body)
            await restore()
            assert.equal(sections.at(-1), restart('server', keys))
            assert.equal(others, [
              restart('logging', 'logging.level'),
              restart('metrics', 'metrics.path'),
              restart('console', 'console'),
              { section: 'audit', status: 'reloaded' }
            ])
          }
        }
      }),
      refuses(400, null, 'a file that cannot be read: fatalError and no sections', async (world) => {
        const restore = await reloaded(world, null)
        return {
          alsoSays: ['sections', 'fatalError'],
          check: async ({ body }) => {
            const { sections, fatalError, error } = Object(body)
            assert.equal([sections, fatalError], [[], error])
            assert.is((await world.by(world.owner).get('/collections')).status, 200)
            await restore()
          }
        }
      })
    ]
  }
]
