/** The hub has refused a request, or could not carry it out. */
export class HubRequestError extends Error {
  override readonly name = 'HubRequestError'

  constructor(
    readonly status: number,
    message: string,
    /** All fields of the answer, which is problem details (RFC 9457); empty where it was no JSON. */
    readonly problem: Readonly<Record<string, unknown>>,
    /** What the hub calls this request in its log. */
    readonly requestId: string | null,
    /** In how many milliseconds the hub wants to be asked again; null where it does not say. */
    readonly retryAfter_ms: number | null
  ) {
    super(message)
  }
}

/** The hub did not answer: it cannot be reached, the connection broke, or it took too long. */
export class HubUnreachableError extends Error {
  override readonly name = 'HubUnreachableError'
}

/** The refusal that an answer is. */
export async function refusalOf(response: Response): Promise<HubRequestError> {
  const problem = fieldsOf(await response.text().catch(() => ''))
  const message = [problem.detail, problem.error, problem.title].find((text) => typeof text === 'string')
  return new HubRequestError(
    response.status,
    message ?? `The hub answered ${response.status}.`,
    problem,
    response.headers.get('x-request-id'),
    retryAfterOf(response.headers.get('retry-after'))
  )
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/** No timer waits for much longer. */
const RETRY_AFTER_MOST_MS = 1_000_000_000

/** In seconds, as the hub says it, or at a time, as proxies may. */
function retryAfterOf(header: string | null): number | null {
  if (header === null) return null
  if (/^\d{1,6}$/.test(header)) return Number(header) * 1000
  const at = Date.parse(header)
  return /[a-z]/i.test(header) && !Number.isNaN(at) ? Math.min(Math.max(0, at - Date.now()), RETRY_AFTER_MOST_MS) : null
}
