import type { Request, Row } from './rows.js'

/** An answer of the hub, for the bare server to give. Plain data. */
export interface Recording {
  readonly method: Request['method']
  readonly route: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** What each server adds to an answer by itself. */
const OWN_HEADERS = new Set(['connection', 'content-length', 'date', 'keep-alive'])

/** Sends one request of a row to the hub and keeps the answer; rejects unless it is a 2xx. */
export async function record(row: Row, request: Request, port: number, secret: string): Promise<Recording> {
  const { method, path, body } = request
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { authorization: `Bearer ${secret}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) })
  })
  const bytes = new Uint8Array(await answer.arrayBuffer())
  if (!answer.ok) {
    const text = new TextDecoder().decode(bytes)
    throw new Error(`${row.name}: the hub answered ${answer.status} to ${method} ${path}: ${text}`)
  }
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !OWN_HEADERS.has(name)))
  return { method, route: row.route, status: answer.status, headers, body: bytes }
}
