import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { StoredEvent } from '../../src/log/event.js'
import { fromLine } from '../../src/trust/backup/lines.js'
import { linesIn } from '../backup/place.js'
import type { Home } from './support.js'

/** The events of the log of a hub, as `hub log export` writes them. */
export async function exportedEvents(home: Home): Promise<readonly StoredEvent[]> {
  const file = join(home.path, 'events.backup')
  const { code, stderr } = await home.here('log', 'export', file)
  if (code !== 0) throw new Error(`hub log export failed: ${stderr}`)
  const events = linesIn(file).flatMap((line) => fromLine(line) ?? [])
  await rm(file)
  return events
}
