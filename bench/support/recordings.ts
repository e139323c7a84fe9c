import type { Answer, Asked } from './ask.js'

/** The answer to requests of one kind. Plain data. */
export interface RecordedKind {
  readonly kind: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** What each server adds to an answer by itself. */
const OWN_HEADERS = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'])

/** Keeps the last answer to each kind of request. */
export function recordings() {
  const kept = new Map<string, RecordedKind>()
  return {
    take({ kind }: Asked, { status, headers, body }: Answer): void {
      const own = Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name)))
      kept.set(kind, { kind, status, headers: own, body: Uint8Array.from(body) })
    },
    all: (): readonly RecordedKind[] => [...kept.values()]
  }
}
