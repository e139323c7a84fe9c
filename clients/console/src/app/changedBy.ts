import type { RecordRef } from '../model/records.js'
import { loadVersions } from './history.js'
import { identity } from './session.js'

/** Who has changed a record since a time, the last one first, as they are called in the middle of a sentence. */
export async function changedBy(ref: RecordRef, since: string, signal: AbortSignal): Promise<readonly string[]> {
  const own = identity().user.id
  const { versions } = await loadVersions(ref, signal)
  const names = versions
    .filter(({ at }) => at > since)
    .map(({ by }) => (by.id === own ? 'you' : (by.name ?? 'somebody')))
  return [...new Set(names)]
}
