import { get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { requestContent } from '../http/content.js'
import type { Ask, Asked } from '../support/ask.js'
import { timed } from '../support/times.js'
import type { DesktopSeed } from './seed.js'

export interface WorkloadPlace {
  readonly scale: number
  readonly port: number
}

/** Something that people do. */
export interface Workload {
  readonly name: string
  /** Does it, and tells how long each part of it took that somebody waits for. */
  run(ask: Ask, seed: DesktopSeed, place: WorkloadPlace): Promise<readonly number[]>
}

const IMPORTED = 500
const CLIENTS = 200
const MINUTE_MS = 60_000
const SAVES = 50

export const workloads: readonly Workload[] = [
  {
    name: 'start of a desktop with 50 collections',
    run: async (ask, seed) => [await timed(() => coldStart(ask, seed))]
  },
  {
    name: 'the same of 200 within a minute',
    run(ask, seed, { scale }) {
      const count = Math.max(10, Math.round(CLIENTS * scale))
      const clients = Array.from({ length: count }, async (_, i) => {
        await sleep((i / CLIENTS) * MINUTE_MS)
        return timed(() => coldStart(ask, seed))
      })
      return Promise.all(clients)
    }
  },
  {
    name: 'import of 500 requests, one after another',
    run: async (ask, { secret }) => [await timed(() => importSingly(ask, secret))]
  },
  {
    name: 'import of 500 requests as one file',
    async run(ask, { secret }) {
      const body = { content: postmanFile() }
      return [await timed(() => ask({ kind: 'import', method: 'POST', path: '/collections/import', secret, body }))]
    }
  },
  {
    name: 'dragging one of 50 items',
    async run(ask, { secret, dragged: { id, requests } }) {
      const lists = () => all(ask, listsOf(id, secret))
      const dragging = async () => {
        await lists()
        const [first = '', ...others] = requests
        for (const [index, one] of [...others, first].entries())
          await ask({
            kind: 'move',
            method: 'PUT',
            path: `/requests/${one}/move`,
            secret,
            body: { folderId: null, index }
          })
        await lists()
      }
      return [await timed(dragging)]
    }
  },
  { name: 'saves that nobody follows', run: (ask, seed) => saves(ask, seed) },
  {
    name: 'saves that 500 follow',
    async run(ask, seed, { port }) {
      const streams = await Promise.all(seed.followers.map((secret) => follow(port, secret)))
      try {
        return await saves(ask, seed)
      } finally {
        for (const stream of streams) stream?.destroy()
      }
    }
  }
]

async function coldStart(ask: Ask, { secret, collections }: DesktopSeed): Promise<void> {
  const one = (kind: string, path = kind): Asked => ({ kind, method: 'GET', path, secret })
  const scan = async () => {
    await inTurn(ask, [one('/health'), one('/auth/session')])
    await all(ask, [one('/plugins/sources'), one('/snippets'), one('/live-servers'), one('/live-pages')])
  }
  const main = [
    '/health',
    '/auth/session',
    '/collections',
    '/auth/session',
    '/snippets',
    '/live-servers',
    '/live-pages'
  ]
  await Promise.all([
    inTurn(
      ask,
      [...main, '/plugins/sources'].map((path) => one(path))
    ),
    inTurn(ask, [one('/auth/session'), one('/collections')]).then(() =>
      Promise.all(collections.map((id) => inTurn(ask, listsOf(id, secret))))
    ),
    inTurn(
      ask,
      ['/snippets', '/run-results', '/live-servers', '/live-pages'].map((path) => one(path))
    ),
    scan(),
    scan()
  ])
}

const listsOf = (id: string, secret: string): readonly Asked[] =>
  ['folders', 'requests', 'documents'].map((what) => ({
    ...{ kind: what, method: 'GET', path: `/collections/${id}/${what}`, secret }
  }))

async function importSingly(ask: Ask, secret: string): Promise<void> {
  const made = await ask({
    kind: 'collection',
    method: 'POST',
    path: '/collections',
    secret,
    body: { name: 'Imported' }
  })
  const { id = '' } = JSON.parse(String(made.body))
  for (let i = 0; i < IMPORTED; i++) {
    const body = { ...requestContent(i), folderId: null }
    await ask({ kind: 'request', method: 'POST', path: `/collections/${id}/requests`, secret, body })
  }
}

function postmanFile(): string {
  const item = Array.from({ length: IMPORTED }, (_, i) => {
    const { name, method, url, body: raw } = requestContent(i)
    return { name, request: { method, url, header: [], body: { mode: 'raw', raw } } }
  })
  const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
  return JSON.stringify({ info: { name: `Imported ${performance.now()}`, schema }, item })
}

async function saves(ask: Ask, { secret, dragged: { id, requests } }: DesktopSeed): Promise<readonly number[]> {
  const times: number[] = []
  for (let i = 0; i < SAVES; i++) {
    const body = { ...requestContent(Math.round(performance.now()) + i), collectionId: id, folderId: null }
    const path = `/requests/${requests[i % requests.length]}`
    times.push(await timed(() => ask({ kind: 'save', method: 'PUT', path, secret, body })))
  }
  return times
}

/** A stream of changes that is read; null where the server has none. */
function follow(port: number, secret: string): Promise<IncomingMessage | null> {
  const headers = { authorization: `Bearer ${secret}`, accept: 'text/event-stream' }
  return new Promise((resolve, reject) => {
    get({ port, path: '/changes', headers, agent: false }, (response) => {
      response.on('error', () => {}).resume()
      resolve(response.statusCode === 200 ? response : null)
    }).on('error', reject)
  })
}

const all = (ask: Ask, asked: readonly Asked[]) => Promise.all(asked.map((one) => ask(one)))

async function inTurn(ask: Ask, asked: readonly Asked[]): Promise<void> {
  for (const one of asked) await ask(one)
}
