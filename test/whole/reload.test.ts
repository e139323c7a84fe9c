import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { type Home, newHome } from '../cli/support.js'
import { postgresDatabase, redisSpace } from '../support/databases.js'
import { freePort } from '../support/private-server.js'
import { suite } from '../support/suite.js'
import { firstStart, withId } from './client.js'

const CLIENTS = 8
const RELOADS = 6

const report = z.object({
  sections: z.array(z.object({ section: z.string(), status: z.string(), error: z.string().optional() }))
})
const sources = z.object({ catalogs: z.array(z.string()) })
const listed = z.object({ folders: z.array(withId) })

/** A way to name the same database or throttle store: two ways differ in the file and lead to the same place. */
type Way = (turn: number) => { readonly db: string; readonly redis: string }

/** Reloads a hub again and again while clients write and read; each time the plugin sources and the connections change. */
async function reloadUnderLoad(way: Way): Promise<void> {
  const home = await newHome()
  const port = await freePort()
  configure(home, port, way(0), 0)
  const { server, call, admin, user } = await firstStart(home, port)
  const { id } = withId.parse(await call(user, 'POST', '/collections', { name: 'Payments' }))
  const path = `/collections/${id}/folders`
  const written: string[] = []
  let busy = true
  const client = async () => {
    while (busy) {
      written.push(withId.parse(await call(user, 'POST', path, { name: 'Folder' })).id)
      const { folders } = listed.parse(await call(user, 'GET', path))
      assert.ok(folders.length > 0)
    }
  }
  const clients = Array.from({ length: CLIENTS }, client)
  for (let turn = 1; turn <= RELOADS; turn++) {
    configure(home, port, way(turn), turn)
    const { sections } = report.parse(await call(admin, 'POST', '/admin/config/reload'))
    assert.equal(
      sections.map(({ section, status }) => `${section} ${status}`),
      ['db reloaded', 'redis reloaded', 'llm unchanged', 'plugins reloaded', 'server unchanged']
    )
    const { catalogs } = sources.parse(await call(user, 'GET', '/plugins/sources'))
    assert.equal(catalogs, [`https://plugins.example.com/${turn}`])
  }
  busy = false
  await Promise.all(clients)
  const { folders } = listed.parse(await call(user, 'GET', path))
  assert.equal(folders.map((folder) => folder.id).sort(), [...written].sort())
  assert.is((await server.stop()).code, 0)
}

function configure(home: Home, port: number, { db, redis }: ReturnType<Way>, turn: number): void {
  const plugins = `plugins: {catalogs: ['https://plugins.example.com/${turn}']}`
  const server = `server: {host: 127.0.0.1, port: ${port}}`
  writeFileSync(join(home.path, 'server.yaml'), [server, `db: ${db}`, `redis: ${redis}`, plugins, ''].join('\n'))
}

const embedded = suite('a reload under load')
embedded('flips plugin sources and connections without a failed request', () =>
  reloadUnderLoad((turn) => ({
    db: `{driver: sqlite, path: ${turn % 2 === 0 ? '' : './'}data/hub.sqlite}`,
    redis: `{driver: memory, maxFailures: ${10 + turn}}`
  }))
)

embedded('keeps what it had where a section fails, and says so', async () => {
  const home = await newHome()
  const port = await freePort()
  const works = { db: '{driver: sqlite, path: data/hub.sqlite}', redis: '{driver: memory}' }
  configure(home, port, works, 0)
  const { server, call, admin, user } = await firstStart(home, port)
  configure(home, port + 1, { db: '{driver: sqlite, path: server.yaml/no}', redis: '{port: 1, host: 127.0.0.1}' }, 1)
  const { sections } = report.parse(await call(admin, 'POST', '/admin/config/reload'))
  const statuses = sections.map(({ section, status }) => `${section} ${status}`)
  assert.equal(statuses, ['db failed', 'redis failed', 'llm unchanged', 'plugins reloaded', 'server restart-required'])
  assert.ok(sections.every(({ status, error }) => (status === 'failed' || status === 'restart-required') === !!error))
  // The system takes no folder there, and says so as if something above it were missing.
  configure(home, port, { db: '{driver: sqlite, path: /proc/nope/x.db}', redis: works.redis }, 1)
  const again = report.parse(await call(admin, 'POST', '/admin/config/reload'))
  assert.is(again.sections[0]?.status, 'failed')
  await call(user, 'POST', '/collections', { name: 'Still here' })
  writeFileSync(join(home.path, 'server.yaml'), 'server: [')
  const fatal = await call(admin, 'POST', '/admin/config/reload').catch(String)
  assert.match(String(fatal), /400 .*"sections":\[\].*"fatalError":/)
  await call(user, 'GET', '/collections')
  assert.is((await server.stop()).code, 0)
})
embedded.run()

const served = suite('a reload under load on services', { needs: ['postgres', 'redis'] })
served('flips plugin sources and connections without a failed request', async () => {
  const [database, space] = [await postgresDatabase('reload'), await redisSpace()]
  assert.ok(database && space)
  const { clear: _, ...redis } = space
  await reloadUnderLoad((turn) => ({
    db: JSON.stringify({
      ...database.config,
      port: turn % 2 === 0 ? database.config.port : `${database.config.port}`
    }),
    redis: JSON.stringify({ ...redis, maxFailures: 10 + turn })
  }))
})
served.run()
