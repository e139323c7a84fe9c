import { requestContent } from './content.js'
import type { Seed } from './seed.js'

export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly body?: object
}

/** One kind of request to measure. */
export interface Row {
  readonly name: string
  /** What share of the bare server's speed the hub should reach. */
  readonly target: number
  /** The next request of this kind; `number` has never been given before. */
  request(seed: Seed, number: number): Request
}

export const rows: readonly Row[] = [
  {
    name: 'session',
    target: 0.25,
    request: () => ({ method: 'GET', path: '/auth/session' })
  },
  {
    name: 'list-collections',
    target: 0.15,
    request: () => ({ method: 'GET', path: '/collections' })
  },
  {
    name: 'list-requests',
    target: 0.2,
    request: ({ listed }) => ({ method: 'GET', path: `/collections/${listed.id}/requests` })
  },
  {
    name: 'put',
    target: 0.1,
    request: ({ edited }, number) => ({
      method: 'PUT',
      path: `/requests/${edited.requests[number % edited.requests.length]}`,
      body: { ...requestContent(number), collectionId: edited.id, folderId: null }
    })
  },
  {
    name: 'post',
    target: 0.1,
    request: ({ grown }, number) => ({
      method: 'POST',
      path: `/collections/${grown[number % grown.length]?.id}/requests`,
      body: { ...requestContent(number), folderId: null }
    })
  },
  {
    name: 'move',
    target: 0.08,
    request: ({ moved: { requests } }) => ({
      method: 'PUT',
      path: `/requests/${requests[below(requests.length)]}/move`,
      body: { folderId: null, index: below(requests.length) }
    })
  }
]

function below(limit: number): number {
  return Math.floor(Math.random() * limit)
}

/** A request as it goes over the wire, perhaps with its kind, by which the bare server answers. */
export function wireText({ method, path, body }: Request, secret: string, kind = ''): string {
  const start = `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: application/json\r\nauthorization: Bearer ${secret}\r\nx-kind: ${kind}\r\n`
  if (body === undefined) return `${start}\r\n`
  const text = JSON.stringify(body)
  return `${start}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
}
