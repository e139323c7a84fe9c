/** A request to a hub. */
export interface Request {
  readonly method: string
  readonly path: string
  readonly secret: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** An answer, or why there is none: `isRefused` where the request certainly did not arrive. */
export type Reply =
  | { readonly status: number; readonly body: unknown; readonly revision: number | undefined; readonly text: string }
  | { readonly status: null; readonly isRefused: boolean; readonly text: string }

/** What stands behind the text of an answer of 503 that does not say when to try again. */
export const WITHOUT_RETRY = ' (no Retry-After)'

/** Nobody waits longer for an answer. */
const PATIENCE_MS = 20_000

/** Sends a request to the hub at an address; never rejects. */
export async function ask(url: string, { method, path, secret, body, headers }: Request): Promise<Reply> {
  try {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${secret}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers
      },
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...(body !== undefined && { body: JSON.stringify(body) })
    })
    const text = await response.text()
    const [, revision] = /^(?:W\/)?"(\d+)/.exec(response.headers.get('etag') ?? '') ?? []
    const isJson = response.headers.get('content-type')?.includes('json') ?? false
    return {
      status: response.status,
      text: response.ok ? '' : text + (isPromised(response) ? '' : WITHOUT_RETRY),
      body: isJson && text !== '' ? JSON.parse(text) : undefined,
      revision: revision === undefined ? undefined : Number(revision)
    }
  } catch (error) {
    const code = codeOf(error)
    return { status: null, isRefused: code === 'ECONNREFUSED', text: `no answer (${code})` }
  }
}

function isPromised({ status, headers }: Response): boolean {
  return status !== 503 || headers.has('retry-after')
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause ?? error
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : error.name
}
