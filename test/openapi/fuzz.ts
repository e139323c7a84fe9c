import fc from 'fast-check'
import { type Call, type Fields, fields, type Reply } from '../http/client.js'
import type { TestHub } from '../http/support.js'
import { World } from '../http/world.js'
import { ID, mutated, recordsOf, referred, valuesOf } from './values.js'

/** How the requests were answered. */
interface Figures {
  /** By status. */
  readonly statuses: Readonly<Record<string, number>>
  /** Operations that never succeeded. */
  readonly unsuccessful: readonly string[]
}

/** By these those who ask would soon be let in no more. */
const LOCKS_OUT = new Set(['/auth/sign-out', '/admin/users/{id}/disable', '/scim/v2/Users/{id}'])

const WHO = ['owner', 'admin', 'guest', 'unknown', 'nobody'] as const

interface Planned {
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly who: (typeof WHO)[number]
  readonly body?: unknown
  readonly text?: string
  readonly headers: Readonly<Record<string, string>>
}

interface Described {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly operation: Fields
}

const KNOWN_MOST = 100
/** Without `llm` in the configuration its routes say so with 503; no other answer of 5xx is right. */
const LLM_ABSENT = 'LLM support is not configured on this Team Hub.'

/**
 * Sends so many requests that are made from the document, valid ones and ones with something wrong in them. Throws at the first answer that is none of the document's, or of 5xx.
 */
export async function fuzz(hub: TestHub, document: Fields, seed: number, requests: number): Promise<Figures> {
  const world = await World.of(hub)
  const guest = await world.user({ collectionAccess: [await world.collection()] })
  const tokens = {
    owner: world.owner.token,
    admin: world.admin.token,
    guest: guest.token,
    unknown: 'hbk_x',
    nobody: undefined
  }
  const known = new Known(
    [world.owner, world.admin, world.colleague, guest].flatMap(({ id, tokenId }) => [id, tokenId])
  )
  const operations = operationsOf(document)
  await known.begin(world)
  const statuses: Record<string, number> = {}
  const successful = new Set<string>()
  for (const planned of plansOf(document, operations, seed, requests)) {
    const { operation, who, ...rest } = planned
    const call: Call = known.filled({ ...rest, token: tokens[who] })
    const reply = await hub.send(call)
    const { status } = reply
    if (status >= 500 && !reply.text.includes(LLM_ABSENT))
      throw new Error(`${JSON.stringify(call)} was answered ${status} ${reply.text}`)
    statuses[status] = (statuses[status] ?? 0) + 1
    const isGone = (status === 404 && call.method === 'GET') || (status === 204 && call.method === 'DELETE')
    if (isGone) known.forget(call.path)
    if (status >= 300) continue
    successful.add(operation)
    known.learn(planned, reply)
  }
  return {
    statuses,
    unsuccessful: operations.map(({ name }) => name).filter((name) => !successful.has(name))
  }
}

function operationsOf(document: Fields): readonly Described[] {
  const paths = Object.entries(fields(document.paths)).filter(([path]) => !LOCKS_OUT.has(path))
  return paths.flatMap(([path, methods]) =>
    Object.entries(fields(methods)).map(([method, one]) => {
      const operation = fields(one)
      return { name: String(operation.operationId), method: method.toUpperCase(), path, operation }
    })
  )
}

function* plansOf(document: Fields, operations: readonly Described[], seed: number, count: number): Generator<Planned> {
  // Where all were as often, most of what is made would be gone before anybody asks for it.
  const weighed = operations.map((one) => ({
    arbitrary: requestOf(document, one),
    weight: one.method === 'DELETE' ? 1 : 4
  }))
  const arbitrary = fc.oneof(...weighed)
  const together = 500
  for (let done = 0; done < count; done += together)
    yield* fc.sample(arbitrary, { seed: seed + done, numRuns: Math.min(together, count - done) })
}

/** Requests for one operation: two in three are as the document says. */
function requestOf(document: Fields, { name, method, path, operation }: Described): fc.Arbitrary<Planned> {
  const isAdmin = path.startsWith('/admin') || path.startsWith('/scim')
  const usual = isAdmin ? 'admin' : 'owner'
  const who = fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, fc.constantFrom(...WHO))
  return fc
    .record({
      who,
      path: pathsOf(document, path, operation),
      headers: headersOf(name),
      sent: bodyOf(document, operation)
    })
    .map(({ who, path, headers, sent }) => ({
      ...{ operation: name, method, path, who: who as Planned['who'] },
      ...sent,
      headers: { ...headers, ...('text' in sent && { 'content-type': 'application/json' }) }
    }))
}

function pathsOf(document: Fields, path: string, { parameters = [] }: Fields): fc.Arbitrary<string> {
  const all = (Array.isArray(parameters) ? parameters : []).map((one) => {
    const { $ref } = fields(one)
    return typeof $ref === 'string' ? referred(document, $ref) : fields(one)
  })
  const of = (place: string) => all.filter((one) => one.in === place)
  const kind = kindOf(path)
  const valuesIn = (place: string) =>
    of(place).map(({ name, schema }) => {
      const named = place === 'path' && name === 'id' ? kind : String(name)
      return [String(name), valuesOf(document, fields(schema), named)] as const
    })
  const required = (place: string) => of(place).flatMap(({ name, required }) => (required ? [String(name)] : []))
  const inPath = recordsOf(valuesIn('path'), required('path'))
  // Without a position the feed is a stream, which has no end.
  const inQuery = recordsOf(valuesIn('query'), [...required('query'), ...(path === '/changes' ? ['after'] : [])]).chain(
    (valid) =>
      fc.oneof(
        { weight: 4, arbitrary: fc.constant<unknown>(valid) },
        {
          weight: 1,
          arbitrary: mutated(valid).map((other) => (path === '/changes' ? { after: '0', limit: other } : other))
        }
      )
  )
  return fc.tuple(inPath, inQuery).map(([params, query]) => {
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encoded(fields(params)[name]))
    const search = Object.entries(typeof query === 'object' && query !== null ? query : {}).map(
      ([name, value]) => `${encoded(name)}=${encoded(value)}`
    )
    return search.length === 0 ? filled : `${filled}?${search.join('&')}`
  })
}

/** The kind of record that the last part of a path is about. */
function kindOf(path: string): string {
  const [first = '', second = ''] = path.split('/').filter((part) => part !== 'admin' && part !== '')
  const inside = path.split('/').at(-1) ?? ''
  if (second === '{collectionId}') return /^[a-z]+$/.test(inside) && inside !== 'reorder' ? inside : 'collections'
  return first
}

function encoded(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return ID.test(text) ? text : encodeURIComponent(text.toWellFormed())
}

function headersOf(operation: string): fc.Arbitrary<Readonly<Record<string, string>>> {
  const tags = fc.constantFrom('*', '"1"', '"12-0"', 'W/"3"', '1', '"', ',')
  const rare = <T>(arbitrary: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })
  return fc
    .record({
      'if-match': rare(tags),
      'if-none-match': rare(tags),
      'idempotency-key': rare(fc.nat(30).map((n) => `${operation} ${n}`)),
      'last-event-id': rare(fc.constantFrom('0', '5', 'x', '999999999999999')),
      accept: rare(fc.constantFrom('application/json', '*/*', 'application/x-ndjson', 'x'))
    })
    .map((headers) =>
      Object.fromEntries(
        Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
      )
    )
}

function bodyOf(document: Fields, { requestBody }: Fields): fc.Arbitrary<Pick<Planned, 'body' | 'text'>> {
  if (requestBody === undefined)
    return fc.oneof(
      { weight: 19, arbitrary: fc.constant({}) },
      { weight: 1, arbitrary: fc.jsonValue().map((body) => ({ body })) }
    )
  // In whatever dialect of JSON.
  const content = fields(Object.values(fields(fields(requestBody).content))[0])
  const made = valuesOf(document, fields(content.schema), 'body')
  const valid = 'example' in content ? fc.oneof({ weight: 3, arbitrary: made }, fc.constant(content.example)) : made
  return fc.oneof(
    { weight: 14, arbitrary: valid.map((body) => ({ body })) },
    { weight: 5, arbitrary: valid.chain(mutated).map((body) => ({ body })) },
    {
      weight: 1,
      arbitrary: fc
        .oneof(fc.json(), fc.string(), fc.constantFrom('{', '[[[[', '{"a":1,"a":2}'))
        .map((text) => ({ text }))
    }
  )
}

/** The ids of what is there, by kind, so that requests find something. */
class Known {
  readonly #ids = new Map<string, string[]>()
  readonly #kept: ReadonlySet<string>

  /** Who sends the requests must not be deleted by them. */
  constructor(kept: readonly string[]) {
    this.#kept = new Set(kept)
  }

  /** One record of each kind, for the first requests. */
  async begin(world: World): Promise<void> {
    const collection = await world.collection()
    this.#add('collections', collection)
    this.#add('folders', await world.folder(collection))
    const request = await world.request(collection)
    this.#add('requests', request)
    this.#addComment(await world.make(`requests/${request}/discussions`, { body: 'Why?' }))
    this.#add('documents', await world.document(collection))
    this.#add('environments', await world.make('environments', { name: 'Environment' }))
    this.#add('snippets', await world.make('snippets', { name: 'Snippet' }))
  }

  learn({ path }: Planned, { body }: Reply): void {
    if (typeof body !== 'object' || body === null) return
    const kind = kindOf(path.split('?')[0]?.replace(/(\/collections\/)[^/]+(\/[a-z])/, '$1{collectionId}$2') ?? '')
    for (const [name, of] of [
      ['user', 'users'],
      ['token', 'tokens'],
      ['invitation', 'invitations']
    ] as const) {
      const inner: unknown = Reflect.get(body, name)
      if (typeof inner === 'object' && inner !== null) this.#add(of, Reflect.get(inner, 'id'))
    }
    const id: unknown = Reflect.get(body, 'id')
    if (/\/(discussions|replies)(\?|$)/.test(path)) this.#addComment(id)
    else this.#add(kind, id)
  }

  /** A comment, by which its thread goes too where it begins one. */
  #addComment(id: unknown): void {
    this.#add('discussion-comments', id)
    this.#add('discussion-threads', id)
  }

  #add(kind: string, id: unknown): void {
    if (typeof id !== 'string' || this.#kept.has(id)) return
    const ids = this.#ids.get(kind) ?? []
    this.#ids.set(kind, ids)
    ids.push(id)
    if (ids.length > KNOWN_MOST) ids.shift()
  }

  /** Nothing is there of which this is the path. */
  forget(path: string): void {
    for (const ids of this.#ids.values()) {
      const at = ids.findIndex((id) => path.includes(id))
      if (at >= 0) ids.splice(at, 1)
    }
  }

  /** The request with ids of what is there. */
  filled(call: Call): Call {
    const path = call.path.replace(/ID:([a-z-]+):(\d+)/g, (_, kind: string, n: string) => this.#idOf(kind, Number(n)))
    return { ...call, path, ...('body' in call && { body: this.#inside(call.body) }) }
  }

  #inside(value: unknown): unknown {
    if (typeof value === 'string') return value.replace(ID, (_, kind: string, n: string) => this.#idOf(kind, Number(n)))
    if (Array.isArray(value)) return value.map((one) => this.#inside(one))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.#inside(one)]))
  }

  #idOf(kind: string, n: number): string {
    const ids = this.#ids.get(kind) ?? []
    return ids[n % ids.length] ?? 'none-yet'
  }
}
