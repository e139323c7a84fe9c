import { codec } from '../../../commands/index.js'
import { auditEvents } from '../../../commands/log/audit/events.js'
import { canonicalJson } from '../../log/canonical.js'
import { decoded, decodedIdentity } from '../../log/codec.js'
import { WHOLE_LOG } from '../../storage/search.js'
import type { Storage } from '../../storage/storage.js'
import type { Asked } from './query.js'

/** What asks the same within this time is one look at the log. */
const LOOK_MS = 600_000
/** Among so many last events of a token its last questions are looked for. */
const RECENT = 16

/** True where the log has it that a token has asked this a short time ago. */
export async function isAskedAlready(
  storage: Pick<Storage, 'searchLog' | 'readAt'>,
  tokenId: string,
  { filter, searched }: Asked,
  now: number
): Promise<boolean> {
  const since = new Date(now - LOOK_MS).toISOString()
  const last = await storage.searchLog({ tokenId }, WHOLE_LOG, RECENT, true)
  const reads = last.filter(({ type, at }) => type === 'AuditRead' && at >= since)
  if (reads.length === 0) return false
  const wanted = canonicalJson({ filter, searched })
  const events = await storage.readAt(reads.map(({ position }) => position).sort((a, b) => a - b))
  return events.some((event) => {
    const told = auditEvents.AuditRead.data.safeParse(decoded(event, codec).data)
    const { searched = {} } = decodedIdentity(event)
    return told.success && canonicalJson({ filter: told.data.filter, searched }) === wanted
  })
}
