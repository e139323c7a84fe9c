import { orAborted, within } from './abort.js'
import { HubUnreachableError, refusalOf } from './errors.js'
import { changesOf, type FeedOptions, type OpenFeed } from './feed.js'
import { type Backoff, retrying } from './retry.js'
import type {
  Answer,
  AnswerOf,
  CallOptions,
  Change,
  DownloadedFile,
  FileOptions,
  MethodOf,
  OperationOf,
  Path,
  RequestOptions
} from './types.js'

export interface ClientOptions {
  /** Where the hub is, with the path that it is under if there is one. */
  readonly url: string
  /** The secret of a token; none for what is open to everybody. */
  readonly token?: string
  /** The id of the tenant that is meant, of a hub that has several and is not reached by the tenant's own host. */
  readonly tenant?: string
  /** How long one attempt may take, in milliseconds: 30,000 by default. */
  readonly timeout_ms?: number
  /** How often a request that may be repeated is tried: 4 times by default. */
  readonly attempts?: number
  /** How long a request waits at most where the hub says when to come back, in milliseconds: 60,000 by default. */
  readonly retryAfterMost_ms?: number
  readonly fetch?: typeof fetch
}

/** A hub, as its interface describes it. */
export interface HubClient {
  /**
   * Sends a request. A GET, and a POST under an `Idempotency-Key`, is repeated where the hub is not reached or has no time.
   * Throws `HubRequestError` where the hub refuses, `HubUnreachableError` where it does not answer, and the reason of the
   * signal where that is aborted.
   */
  request<P extends Path, M extends MethodOf<P>>(
    method: M,
    path: P,
    ...options: object extends RequestOptions<OperationOf<P, M>>
      ? [RequestOptions<OperationOf<P, M>>?]
      : [RequestOptions<OperationOf<P, M>>]
  ): Promise<Answer<AnswerOf<OperationOf<P, M>>>>
  /** Sends a GET whose answer is a file, and is taken as its bytes, whatever is in them. Is repeated, and throws, as `request`. */
  download<P extends Path>(
    path: P,
    options: RequestOptions<OperationOf<P, 'GET'>> & FileOptions
  ): Promise<Answer<DownloadedFile>>
  /**
   * What happens from a position on, each change once and in order, for as long as it is asked for. A connection that breaks,
   * falls silent or is refused with a 5xx is opened again behind the last change, and one that is refused with a 429 when the hub
   * says. Throws `HubRequestError` where the hub refuses for good.
   */
  changes(options?: FeedOptions): AsyncGenerator<Change, void>
}

/** Not `crypto.randomUUID`, which browsers have on pages that came over HTTPS alone. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** POSTs that are not one change, and so take no `Idempotency-Key`. */
export const WITHOUT_KEY: ReadonlySet<string> = new Set([
  '/admin/config/reload',
  '/admin/undelete',
  '/admin/undo',
  '/auth/invitations/preview',
  '/auth/questions/{code}',
  '/auth/sign-in/{id}/logout',
  '/auth/sign-ins',
  '/auth/sign-out',
  '/auth/sign-out/everywhere',
  '/changes/tickets',
  '/discussion-threads/{id}/reopen',
  '/discussion-threads/{id}/resolve',
  '/discussion-threads/{id}/subscribe',
  '/discussion-threads/{id}/unsubscribe',
  '/llm/chat/step',
  '/llm/chat/stream',
  '/mcp',
  '/oauth/device_authorization',
  '/oauth/register',
  '/oauth/token',
  '/scim/v2/Groups',
  '/scim/v2/Users',
  '/notices/read-all',
  '/notices/{id}/read',
  '/undelete',
  '/v1/chat/completions',
  '/v1/embeddings',
  '/v1/messages',
  '/v1/messages/count_tokens',
  '/v1/responses',
  '/webhooks/{id}/test'
])

const TIMEOUT_MS = 30_000
const ATTEMPTS = 4
const BACKOFF = { first_ms: 250, most_ms: 10_000, retryAfterMost_ms: 60_000 }

/** Of the two forms of a refusal the one that tells everything that is wrong with the fields. */
const ACCEPTED = ['application/problem+json', 'application/json'] as const

/** A request with what the options did not fix. */
interface Asked extends CallOptions, FileOptions {
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

type ReadAnswer<B> = (response: Response) => Promise<B>

/** Makes a client of a hub. It holds no connection of its own. */
export function connectHub(options: ClientOptions): HubClient {
  const { token, tenant, timeout_ms = TIMEOUT_MS, attempts = ATTEMPTS, fetch: send = fetch } = options
  const { retryAfterMost_ms = BACKOFF.retryAfterMost_ms } = options
  const base = options.url.replace(/\/+$/, '')
  const backoff: Backoff = { ...BACKOFF, attempts }
  const headers = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(tenant !== undefined && { 'x-harbor-tenant': tenant })
  }

  const answerTo = async (url: string, request: RequestInit, over: AbortSignal): Promise<Response> => {
    try {
      const sent = { ...request, headers: { ...headers, ...request.headers }, redirect: 'error' } as const
      return await orAborted(send(url, sent), over)
    } catch (cause) {
      throw new HubUnreachableError(`${base} does not answer.`, { cause })
    }
  }

  const ask = async <B>(read: ReadAnswer<B>, method: string, path: string, asked: Asked = {}): Promise<Answer<B>> => {
    const { signal, body, ifMatch } = asked
    const isKeyed = method === 'POST' && !WITHOUT_KEY.has(path)
    const key = isKeyed ? (asked.idempotencyKey ?? newKey()) : undefined
    const url = `${base}${filled(path, asked.path)}${queryOf(asked.query)}`
    const attempt = async (over: AbortSignal) => {
      const sent = {
        method,
        headers: {
          accept: [...(asked.accept === undefined ? [] : [asked.accept]), ...ACCEPTED].join(', '),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(ifMatch !== undefined && { 'if-match': ifMatch }),
          ...(key !== undefined && { 'idempotency-key': key })
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: over
      }
      const response = await answerTo(url, sent, over)
      if (!response.ok) throw await whole(refusalOf(response), over)
      const { status, headers: told } = response
      return {
        ...{ status, body: await whole(read(response), over) },
        ...{ etag: told.get('etag'), requestId: told.get('x-request-id') }
      }
    }
    const most = method === 'GET' || isKeyed ? (asked.attempts ?? attempts) : 1
    const patience = { ...backoff, attempts: most, retryAfterMost_ms }
    const once = () => within(asked.timeout_ms ?? timeout_ms, signal, attempt)
    return retrying(() => unlessAborted(once(), signal), patience, signal)
  }

  const openFeed: OpenFeed = (after, signal) =>
    answerTo(`${base}/changes${queryOf({ after })}`, { headers: { accept: 'text/event-stream' }, signal }, signal)

  return {
    // What comes back is what the interface describes; the types are made from its description.
    request: ((method, path, asked) => ask(textIn, method, path, asked as Asked)) as HubClient['request'],
    download: (path, asked) => ask(fileIn, 'GET', path, asked as Asked),
    changes: (asked = {}) => changesOf(openFeed, backoff, asked)
  }
}

/** What is read of an answer that has begun, or the failure to read it. */
async function whole<T>(reading: Promise<T>, over: AbortSignal): Promise<T> {
  return orAborted(reading, over).catch((cause: unknown) => {
    throw cause instanceof SyntaxError ? cause : new HubUnreachableError('The answer broke off.', { cause })
  })
}

/** Whatever an attempt has failed with: where the signal was aborted, its reason is what whoever asked is told. */
async function unlessAborted<T>(attempt: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return attempt.catch((error: unknown) => {
    signal?.throwIfAborted()
    throw error
  })
}

async function textIn(response: Response): Promise<unknown> {
  const isJson = /^application\/(?:scim\+)?json\b/.test(response.headers.get('content-type') ?? '')
  const text = await response.text()
  return isJson ? JSON.parse(text) : text === '' ? undefined : text
}

async function fileIn(response: Response): Promise<DownloadedFile> {
  const { headers } = response
  const [, name = null] = /filename="([^"]*)"/.exec(headers.get('content-disposition') ?? '') ?? []
  return { name, type: headers.get('content-type'), bytes: new Uint8Array(await response.arrayBuffer()) }
}

/** The path with these values in place of its parameters. */
function filled(path: string, values: Asked['path'] = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])))
}

function queryOf(query: Asked['query'] = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  return search.size === 0 ? '' : `?${search}`
}
