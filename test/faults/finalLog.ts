import { z } from 'zod'
import { codec } from '../../commands/index.js'
import { decoded } from '../../src/log/codec.js'
import { type StoredEvent, subjectOf } from '../../src/log/event.js'
import { pages } from '../../src/log/pages.js'
import type { Entry } from '../checking/history.js'
import { type LogEntry, logEntryOf } from '../checking/log.js'
import type { Home } from '../cli/support.js'
import { kinds } from './kinds.js'

const PAGE = 500
const recorded = new Set(kinds.map(({ name }) => name))
const named = z.union([z.object({ name: z.string() }), z.object({ content: z.object({ name: z.string() }) })])

/** The whole log of the database of a hub, with what each event made of its record: its name. */
export async function finalLog(home: Home): Promise<readonly LogEntry[]> {
  return home.withLedger(async ({ storage }) => {
    const log: LogEntry[] = []
    const { position } = await storage.head()
    // Administrators, who follow the log here, are told of everything.
    for await (const page of pages(storage.readLog, 0, position, PAGE))
      log.push(...page.map((event) => logEntryOf(event, contentOf(event))))
    return log
  })
}

function contentOf(event: StoredEvent): string | null | undefined {
  const { stream, type } = event
  if (!recorded.has(stream.slice(0, stream.indexOf('-')))) return undefined
  if (type.endsWith('Deleted')) return null
  if (!/(Created|Updated)$/.test(type)) return undefined
  const data = named.parse(decoded(event, codec).data)
  return 'name' in data ? data.name : data.content.name
}

const write = z.object({ id: z.string(), content: z.string().nullable() })

/**
 * The history with what no answer tells: the ids of records whose making was not answered, and the positions of deletions. One that
 * was acknowledged and is not in the log is put behind its end.
 */
export function completed(history: readonly Entry[], log: readonly LogEntry[]): readonly Entry[] {
  const made = new Map(log.flatMap(({ stream, content }) => (content ? [[content, subjectOf(stream)]] : [])))
  const deleted = new Map(log.flatMap((one) => (one.content === null ? [[subjectOf(one.stream), one.position]] : [])))
  return history.map((entry) => {
    if (entry.f !== 'write') return entry
    const { id, content } = write.parse(entry.value)
    if (content === null) {
      const position = deleted.get(id) ?? log.length + 1
      return entry.type === 'ok' ? { ...entry, value: { id, content, position } } : entry
    }
    return id === '' ? { ...entry, value: { id: made.get(content) ?? 'unknown', content } } : entry
  })
}
