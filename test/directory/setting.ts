import { fields, type Reply, text } from '../http/client.js'
import { sqlite } from '../http/drivers.js'
import { hubSuite } from '../http/hub-suite.js'
import type { HubOptions } from '../http/support.js'
import { succeeded, type World } from '../http/world.js'
import type { Suite } from '../support/suite.js'

type Headers = Readonly<Record<string, string>>

/** A hub, and a directory that keeps its accounts with a token of its own: that of a machine, limited to that. */
interface Directory {
  readonly world: World
  get(path: string, headers?: Headers): Promise<Reply>
  post(path: string, body: unknown): Promise<Reply>
  put(path: string, body: unknown, headers?: Headers): Promise<Reply>
  patch(path: string, body: unknown, headers?: Headers): Promise<Reply>
  delete(path: string, headers?: Headers): Promise<Reply>
  /** The secret of a new token of an account. */
  tokenOf(id: string): Promise<string>
}

/** A suite with a hub of its own, and a directory that keeps its accounts. */
export function directorySuite(name: string, options: HubOptions = {}): { test: Suite; directory: Directory } {
  const { test, world } = hubSuite(name, sqlite, options)
  let token = ''
  test.before(async () => {
    const machine = { name: 'Directory', role: 'accountAdmin', isService: true, scopes: ['scim'] }
    token = text(succeeded(await world.by(world.admin).post('/admin/users', machine)).body, 'secret')
  })
  const send = (method: string, path: string, body?: unknown, headers: Headers = {}) =>
    world.hub.send({
      method,
      path: `/scim/v2${path}`,
      headers: {
        ...headers,
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/scim+json' })
      },
      body
    })
  const directory: Directory = {
    world,
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body) => send('POST', path, body),
    put: (path, body, headers) => send('PUT', path, body, headers),
    patch: (path, body, headers) => send('PATCH', path, body, headers),
    delete: (path, headers) => send('DELETE', path, undefined, headers),
    async tokenOf(id) {
      const made = await world.by(world.admin).post(`/admin/users/${id}/tokens`, { name: 'Laptop' })
      return text(fields(succeeded(made).body), 'secret')
    }
  }
  return { test, directory }
}
