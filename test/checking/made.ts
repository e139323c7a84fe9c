import { GENESIS, link, seal } from '../../src/log/chain.js'
import type { StoredEvent } from '../../src/log/event.js'
import { type LogEntry, logEntryOf } from './log.js'

/** A log of these contents of records, `id=content` each, in order; every event is a command of its own. */
export function logOf(...changes: readonly string[]): readonly LogEntry[] {
  const versions = new Map<string, number>()
  const log: LogEntry[] = []
  let chain = GENESIS
  for (const [i, change] of changes.entries()) {
    const [id = '', content = ''] = change.split('=')
    const stream = `note-${id}`
    const version = (versions.get(stream) ?? 0) + 1
    versions.set(stream, version)
    const event: Omit<StoredEvent, 'chain'> = {
      position: i + 1,
      stream,
      version,
      type: 'NoteChanged',
      schema: 1,
      at: new Date(0).toISOString(),
      commandId: `command ${i}`,
      actorId: 'ada',
      tokenId: null,
      requestId: null,
      correlationId: null,
      causation: null,
      who: seal('{}'),
      payload: seal(change)
    }
    chain = link(chain, event)
    log.push(logEntryOf({ ...event, chain }, content))
  }
  return log
}
