import { z } from 'zod'
import { withId } from '../whole/client.js'
import type { Actor, Token } from './actor.js'
import { folders, type Kind, kinds, requests } from './kinds.js'

/** A record as the client that made it knows it. */
export interface Owned {
  readonly id: string
  readonly kind: Kind
  /** Its name; null where nobody knows. */
  name: string | null
}

/** What the calls of one client go by. */
export interface Desk {
  readonly actor: Actor
  readonly token: Token
  /** The collection that folders, requests and documents are in. */
  readonly shared: string
  readonly own: Owned[]
  /** Ids of what all clients have made. */
  readonly seen: Pick<Owned, 'id' | 'kind'>[]
  newName(): string
}

const SEEN_MAX = 100
const named = z.looseObject({ id: z.string(), name: z.string() })

export async function create(desk: Desk): Promise<void> {
  const { actor, token, shared, own, seen } = desk
  const kind = actor.random.pick(kinds)
  const name = desk.newName()
  // The hub chooses the id: until it is known, there is none.
  const sent = { id: '', content: name }
  const made = await actor.perform({
    f: 'write',
    sent,
    token,
    isChange: true,
    isRepeated: actor.random.below(2) === 0,
    request: { method: 'POST', path: kind.listPath(shared), body: kind.content(name) },
    answer({ body, revision }) {
      sent.id = withId.parse(body).id
      return { position: revision ?? 0 }
    }
  })
  if (!made) return
  own.push({ id: sent.id, kind, name })
  seen.push({ id: sent.id, kind })
  if (seen.length > SEEN_MAX) seen.shift()
}

export async function save(desk: Desk): Promise<void> {
  const { actor, token } = desk
  const record = actor.random.pick(desk.own)
  const name = desk.newName()
  const saved = await actor.perform({
    f: 'write',
    sent: { id: record.id, content: name },
    token,
    isChange: true,
    request: { method: record.kind.save, path: record.kind.path + record.id, body: record.kind.content(name) },
    answer: ({ revision }) => ({ position: revision ?? 0 })
  })
  record.name = saved ? name : null
}

export async function remove({ actor, token, own }: Desk): Promise<void> {
  const [record] = own.splice(actor.random.below(own.length), 1)
  if (!record) return
  await actor.perform({
    f: 'write',
    sent: { id: record.id, content: null },
    token,
    isChange: true,
    request: { method: 'DELETE', path: record.kind.path + record.id },
    // The answer does not say where in the log it is.
    answer: () => ({ position: 0 })
  })
}

/** A folder to the root, where it is, as one that is dropped there. */
export async function move(desk: Desk): Promise<void> {
  const { actor, token } = desk
  const folder = desk.own.find(({ kind }) => kind === folders)
  const request = desk.own.find(({ kind }) => kind === requests)
  if (folder)
    await actor.perform({
      f: 'use',
      sent: {},
      token,
      isChange: true,
      request: { method: 'PUT', path: `/folders/${folder.id}/move`, body: { parentFolderId: null, sortOrder: 0 } },
      answer: () => ({})
    })
  if (request)
    await actor.perform({
      f: 'use',
      sent: {},
      token,
      isChange: true,
      request: { method: 'PUT', path: `/requests/${request.id}/move`, body: { folderId: null, index: 0 } },
      answer: () => ({})
    })
}

export async function read({ actor, token, seen }: Desk): Promise<void> {
  const { id, kind } = actor.random.pick(seen)
  const answer = (body: unknown, revision: number | undefined) => ({
    content: named.parse(body).name,
    ...(kind.isInPlace && revision !== undefined && { position: revision })
  })
  await actor.perform({
    f: 'read',
    sent: { id },
    token,
    request: { method: 'GET', path: kind.path + id },
    absent: () => ({ content: null }),
    answer: ({ body, revision }) => answer(body, revision)
  })
}

export async function list({ actor, token, shared }: Desk): Promise<void> {
  const kind = actor.random.pick(kinds)
  const listed = z.object({ [kind.plural]: z.array(named) })
  await actor.perform({
    f: 'list',
    sent: { kind: kind.name },
    token,
    request: { method: 'GET', path: kind.listPath(shared) },
    answer: ({ body }) => {
      const records = listed.parse(body)[kind.plural] ?? []
      return { contents: Object.fromEntries(records.map(({ id, name }) => [id, name])) }
    }
  })
}

const found = z.object({ results: z.array(named), isComplete: z.boolean() })

/** Looks for a record by its own name, which is one word. */
export async function search({ actor, token, own }: Desk): Promise<void> {
  const record = actor.random.pick(own)
  if (record.name === null) return
  await actor.perform({
    f: 'read',
    sent: { id: record.id },
    token,
    request: { method: 'GET', path: `/search?q=${record.name}&kind=${record.kind.name}` },
    answer({ body }) {
      const { results, isComplete } = found.parse(body)
      return isComplete ? { content: results.find(({ id }) => id === record.id)?.name ?? null } : null
    }
  })
}
