import { fields, type Reply, text } from '../http/client.js'
import { sqlite } from '../http/drivers.js'
import { type HubOptions, startHub } from '../http/support.js'
import { succeeded, World } from '../http/world.js'

type Headers = Readonly<Record<string, string>>

/** A hub, and a directory that keeps its accounts with a token of its own: that of a machine, limited to that. */
export interface Directory {
  readonly world: World
  get(path: string, headers?: Headers): Promise<Reply>
  post(path: string, body: unknown): Promise<Reply>
  put(path: string, body: unknown, headers?: Headers): Promise<Reply>
  patch(path: string, body: unknown, headers?: Headers): Promise<Reply>
  delete(path: string, headers?: Headers): Promise<Reply>
  /** Asks for anything with the token of the directory. */
  elsewhere(path: string): Promise<Reply>
  /** The secret of a new token of an account. */
  tokenOf(id: string): Promise<string>
  /** What is answered to who asks with this secret who they are. */
  statusWith(secret: string): Promise<number>
  close(): Promise<void>
}

export async function aDirectory(options: HubOptions = {}): Promise<Directory> {
  const hub = await startHub(sqlite, options)
  const world = await World.of(hub)
  const admin = world.by(world.admin)
  const machine = { name: 'Directory', role: 'accountAdmin', isService: true, scopes: ['scim'] }
  const token = text(succeeded(await admin.post('/admin/users', machine)).body, 'secret')
  const send = (method: string, path: string, body?: unknown, headers: Headers = {}) =>
    hub.send({
      method,
      path: `/scim/v2${path}`,
      headers: {
        ...headers,
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/scim+json' })
      },
      body
    })
  return {
    world,
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body) => send('POST', path, body),
    put: (path, body, headers) => send('PUT', path, body, headers),
    patch: (path, body, headers) => send('PATCH', path, body, headers),
    delete: (path, headers) => send('DELETE', path, undefined, headers),
    elsewhere: (path) => hub.send({ method: 'GET', path, token }),
    async tokenOf(id) {
      return text(fields(succeeded(await admin.post(`/admin/users/${id}/tokens`, { name: 'Laptop' })).body), 'secret')
    },
    async statusWith(secret) {
      return (await hub.send({ method: 'GET', path: '/auth/session', token: secret })).status
    },
    close: () => hub.close()
  }
}
