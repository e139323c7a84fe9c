import { z } from 'zod'
import type { Driver, Place } from '../http/drivers.js'
import { startHub, until } from '../http/support.js'
import { isFull } from '../support/full.js'
import type { Known } from './known.js'

/** The answer to one GET, without what differs from run to run. */
export interface Read {
  readonly path: string
  readonly token: string
  readonly status: number
  readonly text: string
}

/** The clock differs from run to run. */
const TIMES = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g
/** Of no account and no record, of the process, or of what the reading itself leaves in the log; a feed does not end. */
const LEFT_OUT = new Set([
  '/health',
  '/healthz',
  '/readyz',
  '/metrics',
  '/join',
  '/changes',
  '/notices/stream',
  '/admin/status',
  '/admin/audit',
  '/admin/audit/:position'
])
/** Each route of a record is asked for so many of its kind, the newest, since an emulator takes long for each. */
const RECORDS_MOST = isFull ? 100 : 20
/** And what is put together from many questions for fewer. */
const SELDOM = { route: '/collections/:id/activity', records: 12 }
const TOGETHER = 16
const DOWN = 'The database is not available.'
/** A list in the order of the clock, by which two tokens of one millisecond stand otherwise than two of different ones. */
const BY_TIME = '/admin/tokens'

/** A command has another id in each run. */
const COMMAND_IDS = /"commandId":"[\da-f-]{36}"/g

/** A text with every time and every id of a command replaced by one word. */
export function timeless(text: string): string {
  return text.replace(TIMES, 'time').replace(COMMAND_IDS, '"commandId":"id"')
}

/**
 * Asks a hub on this place for what can be read, with each of these tokens: every list, and the newest records that the program
 * knows of, also those that are gone.
 */
export async function readAll(
  driver: Driver,
  place: Place,
  known: Known,
  tokens: readonly string[]
): Promise<readonly Read[]> {
  // Who asked for the place removes it.
  const hub = await startHub({ ...driver, open: async () => ({ ...place, remove: async () => {} }) })
  try {
    // It is another one in each run.
    await hub.run({ type: 'DeleteUser', id: hub.admin.id })
    const paths = hub.routes().flatMap((route) => (route.startsWith('GET ') ? pathsOf(route.slice(4), known) : []))
    const calls = tokens.flatMap((token) => paths.map((path) => ({ path, token })))
    const reads: Read[] = []
    for (let from = 0; from < calls.length; from += TOGETHER) {
      const asked = calls.slice(from, from + TOGETHER).map(async ({ path, token }): Promise<Read> => {
        const { status, text } = await until(async () => {
          const reply = await hub.send({ method: 'GET', path, token })
          // Try again in a moment, it says, where a busy machine keeps the database from answering.
          return reply.status === 503 && reply.text.includes(DOWN) ? null : reply
        })
        return { path, token, status, text: timeless(path === BY_TIME ? byId(text) : text) }
      })
      reads.push(...(await Promise.all(asked)))
    }
    return reads
  } finally {
    await hub.close()
  }
}

const tokenList = z.object({ tokens: z.array(z.looseObject({ id: z.string() })) })

/** The list of tokens in the order of their ids; whatever else the text is, as it is. */
function byId(text: string): string {
  const list = tokenList.safeParse(JSON.parse(text)).data
  return list ? JSON.stringify(list.tokens.toSorted((a, b) => (a.id < b.id ? -1 : 1))) : text
}

/** A route's paths: with an id in it, one for each of the newest records of its kind, and one for none. */
function pathsOf(route: string, known: Known): readonly string[] {
  if (LEFT_OUT.has(route)) return []
  const parameter = /\/([a-z-]+)\/:/.exec(route)
  if (!parameter) return [route]
  const ids: Readonly<Record<string, readonly string[]>> = {
    collections: known.collections,
    folders: known.folders.map(({ id }) => id),
    requests: known.requests.map(({ id }) => id),
    documents: known.documents.map(({ id }) => id)
  }
  const all = ids[parameter[1] ?? ''] ?? []
  const asked = route === SELDOM.route ? SELDOM.records : RECORDS_MOST
  return [...all.slice(-asked), 'never'].map((id) => route.replace(':', id))
}
