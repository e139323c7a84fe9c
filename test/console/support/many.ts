import type { HubClient } from '../../../clients/typescript/src/index.js'

/** An import brings 2,000 records at most. */
const AT_ONCE = 2000
const PATIENCE_MS = 120_000

/** What the request of a place is called in a collection that `makeMany` has made. */
export const nameOf = (at: number): string => `Request ${String(at).padStart(5, '0')}`

/** Makes a collection of so many requests, which stand side by side; gives back its id. */
export async function makeMany(client: HubClient, name: string, count: number): Promise<string> {
  const { id } = (await client.request('POST', '/collections', { body: { name } })).body
  for (let from = 0; from < count; from += AT_ONCE) {
    const content = sourceOf(from, Math.min(from + AT_ONCE, count))
    const body = { content, collectionId: id }
    await client.request('POST', '/collections/import', { body, timeout_ms: PATIENCE_MS })
  }
  return id
}

/** A file of Postman with the requests of these places. */
function sourceOf(from: number, to: number): string {
  const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
  const item = Array.from({ length: to - from }, (_, at) => ({
    ...{ id: `r${from + at}`, name: nameOf(from + at) },
    request: { method: 'GET', url: `https://many.test/${from + at}` }
  }))
  return JSON.stringify({ info: { _postman_id: `many ${from}`, name: 'Many', schema }, item })
}
