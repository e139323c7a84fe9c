import { z } from 'zod'
import type { Home, Server } from '../cli/support.js'

/** Calls a hub and returns its answer; rejects with status and text on any failure. */
export type Call = (token: string, method: string, path: string, body?: unknown) => Promise<unknown>

/** A caller of the hub at this address. */
export function caller(base: string): Call {
  return async (token, method, path, body) => {
    const json = body !== undefined && { 'content-type': 'application/json' }
    const response = await fetch(base + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...json },
      ...(body !== undefined && { body: JSON.stringify(body) })
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    if (response.headers.get('content-type')?.startsWith('image/')) return new Uint8Array(await response.arrayBuffer())
    return response.status === 204 ? undefined : response.json()
  }
}

export const withId = z.object({ id: z.string() })
export const withSecret = z.object({ secret: z.string() })

export interface Started {
  readonly server: Server
  readonly call: Call
  readonly admin: string
  /** The token of a user who may do everything. */
  readonly user: string
}

/** The first start of a hub in this home, with a user beside its administrator. */
export async function firstStart(home: Home, port: number): Promise<Started> {
  const server = await home.start(['start', '--init'], 'hbk_')
  const admin = /hbk_[\w-]{49}/.exec(server.stdout())?.[0]
  if (!admin) throw new Error(`The first start printed no token: ${server.stdout()}`)
  const call = caller(`http://127.0.0.1:${port}`)
  const lists = ['collectionAccess', 'environmentAccess', 'snippetAccess', 'liveServerAccess', 'livePageAccess']
  const ada = { name: 'ada', role: 'user', ...Object.fromEntries(lists.map((list) => [list, ['*']])) }
  const { secret } = withSecret.parse(await call(admin, 'POST', '/admin/users', ada))
  return { server, call, admin, user: secret }
}
