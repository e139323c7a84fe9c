import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { connectHub, type HubClient, HubRequestError } from '../../clients/typescript/src/index.js'
import { eachAccessList, type Role } from '../../commands/people/user/events.js'
import { type Call, errorOf, type Fields, fields, type Reply, records, text } from './client.js'
import { documentContent, requestContent } from './content.js'
import { described, describedFetch } from './described.js'
import type { LockableKind } from './kinds.js'
import type { Account, TestHub } from './support.js'

export interface Access {
  readonly collectionAccess?: readonly string[]
  readonly environmentAccess?: readonly string[]
  readonly snippetAccess?: readonly string[]
  readonly liveServerAccess?: readonly string[]
  readonly livePageAccess?: readonly string[]
}

export const everything: Access = eachAccessList(['*'])

/** The requests of one account, each by its method. */
export type Requests = ReturnType<World['by']>

interface Settled {
  readonly hub: TestHub
  readonly owner: Account
  readonly colleague: Account
  /** How typed clients reach the hub. */
  readonly fetch: typeof fetch
}

/** A hub with people on it, and short ways to fill it: every way asserts that the hub did what it was asked. */
export class World {
  #settled: Settled | undefined

  static of(hub: TestHub): Promise<World> {
    return new World().settle(hub)
  }

  /** Brings people to a hub. Nobody is there before. */
  async settle(hub: TestHub): Promise<this> {
    const [owner, colleague] = await Promise.all([newUser(hub, everything), newUser(hub, everything)])
    this.#settled = { hub, owner, colleague, fetch: describedFetch(described(hub.declared)) }
    return this
  }

  get #there(): Settled {
    if (!this.#settled) throw new Error('The suite has not begun.')
    return this.#settled
  }

  get hub(): TestHub {
    return this.#there.hub
  }

  get admin(): Account {
    return this.hub.admin
  }

  /** A user with access to everything, on whose behalf things are made unless told otherwise. */
  get owner(): Account {
    return this.#there.owner
  }

  /** Another user with access to everything. */
  get colleague(): Account {
    return this.#there.colleague
  }

  /** The requests of an account. */
  readonly by = ({ token }: Account) => {
    const { send } = this.hub
    const one = (method: string) => (path: string, body?: unknown, headers?: Call['headers']) =>
      send({ method, path, token, body, ...(headers && { headers }) })
    return {
      get: (path: string, headers?: Call['headers']) => one('GET')(path, undefined, headers),
      post: one('POST'),
      put: one('PUT'),
      patch: one('PATCH'),
      delete: one('DELETE')
    }
  }

  /**
   * The typed client of an account, for suites about what clients do; the ways above send what no client would, too. Its answers
   * are held against what their routes say of themselves as well. Nothing is tried again, so that a test sees each refusal.
   */
  client({ token }: Pick<Account, 'token'>): HubClient {
    return connectHub({ url: this.hub.url, token, fetch: this.#there.fetch, attempts: 1 })
  }

  /** What is answered to whoever asks with this secret who they are. */
  async statusWith(token: unknown): Promise<number> {
    return (await this.hub.send({ method: 'GET', path: '/auth/session', token: String(token) })).status
  }

  user(access: Access = {}, role: Role = 'user'): Promise<Account> {
    return newUser(this.hub, access, role)
  }

  /** Creates something with a POST to this path and returns its id. */
  async make(path: string, body: unknown, as = this.owner): Promise<string> {
    return text(succeeded(await this.by(as).post(`/${path}`, body)).body, 'id')
  }

  collection(name = `Collection ${randomUUID()}`, as = this.owner): Promise<string> {
    return this.make('collections', { name }, as)
  }

  folder(collectionId: string, parentFolderId: string | null = null, name = 'Folder'): Promise<string> {
    return this.make(`collections/${collectionId}/folders`, { name, parentFolderId })
  }

  request(collectionId: string, folderId: string | null = null, as = this.owner): Promise<string> {
    return this.make(`collections/${collectionId}/requests`, { ...requestContent, folderId }, as)
  }

  document(collectionId: string, folderId: string | null = null): Promise<string> {
    return this.make(`collections/${collectionId}/documents`, { ...documentContent, folderId })
  }

  /** Locks a record that stands on its own against deletion. */
  async lock(kind: LockableKind['path'], id: string): Promise<void> {
    succeeded(await this.by(this.admin).put(`/admin/${kind}/${id}`, { deletionLocked: true }))
  }

  /** Where the log ends: what does not change it has changed nothing. */
  position(): number {
    return this.hub.hub.ledger.readModel.head.position
  }

  /** Sends it, and asserts that it is refused in this way, with no other keys than `error` and these, and changes nothing. */
  async refused(
    status: number,
    send: () => Promise<Reply>,
    error?: string | RegExp | null,
    more: readonly string[] = []
  ): Promise<Reply> {
    const before = this.position()
    const reply = await send()
    assert.is(reply.status, status, `${reply.status} ${reply.text}`)
    const text = errorOf(reply, more)
    this.assertRefusal(text, error, before, more.includes('fatalError'))
    return reply
  }

  /** As `refused`, of what a typed client asks for. */
  async denied(status: number, ask: () => Promise<unknown>, error?: string | RegExp): Promise<HubRequestError> {
    const before = this.position()
    const refusal = await refusalOf(ask())
    if (refusal === null) throw new Error(`Expected ${status}, not a success`)
    assert.is(refusal.status, status, `${refusal.status} ${refusal.message}`)
    this.assertRefusal(refusal.message, error, before)
    return refusal
  }

  private assertRefusal(text: string, error: string | RegExp | null | undefined, before: number, isKept = false): void {
    if (error instanceof RegExp) assert.match(text, error)
    else if (typeof error === 'string') assert.is(text, error)
    // That somebody wanted to delete what is locked is kept, and so is a reload that failed: one event, about no record.
    const kept = text.startsWith('Deletion is locked') || isKept ? 1 : 0
    assert.is(this.position(), before + kept, 'a refusal has changed something')
  }
}

/** How the hub refuses what a typed client asks for; null where it does it. Rejects with whatever else goes wrong. */
export function refusalOf(asked: Promise<unknown>): Promise<HubRequestError | null> {
  return asked.then(
    () => null,
    (error: unknown) => (error instanceof HubRequestError ? error : Promise.reject(error))
  )
}

/** The status of what a typed client asks for, whether the hub does it or refuses. */
export async function statusOf(asked: Promise<{ readonly status: number }>): Promise<number> {
  const refusal = await refusalOf(asked)
  return refusal === null ? (await asked).status : refusal.status
}

/** The records of a list as the owner sees it; it is named in the reply as the last part of its path, if not otherwise. */
export async function listed(
  world: World,
  path: string,
  name = path.slice(path.lastIndexOf('/') + 1)
): Promise<readonly Fields[]> {
  return records(succeeded(await world.by(world.owner).get(path)), name)
}

/** The reply itself, if it is a success, or leads to one. */
export function succeeded(reply: Reply): Reply {
  if (reply.status < 200 || reply.status > 399) throw new Error(`Expected a success, not ${reply.status} ${reply.text}`)
  return reply
}

/** Creates a user account the way an administrator does. */
async function newUser({ send, admin }: TestHub, access: Access, role: Role = 'user'): Promise<Account> {
  const body = { name: `User ${randomUUID()}`, role, ...access }
  const reply = succeeded(await send({ method: 'POST', path: '/admin/users', token: admin.token, body }))
  const { user, token, secret } = fields(reply.body)
  return { id: text(user, 'id'), name: body.name, tokenId: text(token, 'id'), token: text({ secret }, 'secret') }
}
