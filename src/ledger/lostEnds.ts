import { codec } from '../../commands/index.js'
import { auditEvents } from '../../commands/log/audit/events.js'
import type { DbConfig } from '../config/types.js'
import { announcedEnd, headsAt, type KnownHeads, missingEnd } from '../log/knownHeads.js'
import { holds } from '../log/logEnd.js'
import type { KnownEnd } from '../log/wentBack.js'
import type { ReadModel } from '../readmodel/readModel.js'
import type { StateStore, Storage } from '../storage/storage.js'

const PREFIX = 'lost-end-'
/** More hubs than serve one log. */
const LOST_MAX = 100

type Noted = Pick<Storage, 'state' | 'readHeaders' | 'timeline'>
type Accepted = Pick<Storage, 'head' | 'searchLog' | 'readAt'>

/** How far the logs in the database of a configuration have come. */
export function headsOf(heads: () => KnownHeads, db: DbConfig): KnownHeads {
  const where = 'path' in db ? db.path : 'projectId' in db ? db.projectId : db.database
  return headsAt(heads, `${db.driver} ${where} ${db.prefix}`)
}

/**
 * The ends that hubs have known this log to have and that it does not hold, the furthest first. They are noted beside the log and
 * in `heads`, so that they are known to whoever opens it, and gone when an operator has accepted them.
 */
export async function lostEnds(storage: Noted & Accepted, heads?: KnownHeads): Promise<readonly KnownEnd[]> {
  const told = heads ? await missingEnd(storage, heads) : null
  const lost: KnownEnd[] =
    told && !(await isAccepted(storage, told)) ? [{ position: told.position, chain: told.chain, at: told.at }] : []
  for (const { text } of await storage.state.list(PREFIX, '', LOST_MAX)) {
    const end = announcedEnd.parse(JSON.parse(text))
    // Where it is there again, as behind a look at a standby that was late, nothing is lost.
    if (!(await holds(storage, end))) lost.push(end)
  }
  return lost.sort((a, b) => b.position - a.position)
}

/** Takes back what was noted: the log is accepted as it is. */
export async function forgetLostEnds(state: StateStore): Promise<void> {
  for (const { key } of await state.list(PREFIX, '', LOST_MAX)) await state.delete(key)
}

/**
 * What tells whether a log may be served anew that this read model has found to have gone back: an operator has accepted it, or it
 * holds again what was known. That it went back is noted when it is first asked.
 */
export function acceptance(storage: Noted & Accepted, readModel: Pick<ReadModel, 'wentBack'>): () => Promise<boolean> {
  let isNoted = false
  return async () => {
    if (!readModel.wentBack) return false
    const { position, chain, at } = readModel.wentBack.known
    if (await isAccepted(storage, readModel.wentBack.known)) return true
    const key = `${PREFIX}${position}-${chain.slice(0, 16)}`
    if (!isNoted) await storage.state.put(key, JSON.stringify({ position, chain, at }), null)
    isNoted = true
    return (await lostEnds(storage)).length === 0
  }
}

/** True where an operator has accepted that as much or more is lost, though this hub had not noted it yet. */
async function isAccepted(storage: Accepted, known: KnownEnd): Promise<boolean> {
  const { position } = await storage.head()
  const [found] = await storage.searchLog({ types: ['HeadAccepted'] }, { after: 0, through: position }, 1, true)
  // What is no later than the end that was known may have been known too, and be about an earlier loss.
  if (!found || found.at <= known.at) return false
  const [event] = await storage.readAt([found.position])
  if (!event?.payload.text) return false
  const { lost } = auditEvents.HeadAccepted.data.parse(codec.decode(event.type, event.schema, event.payload.text))
  return lost.some((end) => end.position >= known.position)
}
