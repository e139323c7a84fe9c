import { randomUUID } from 'node:crypto'
import { codec } from '../../../commands/index.js'
import { SYSTEM_ID, SYSTEM_NAME } from '../../../commands/people/user/system.js'
import { project } from '../../../projections/index.js'
import type { Scratch } from '../../../projections/verify.js'
import { withPositions } from '../../ledger/sequencing.js'
import { giveWay } from '../../lib/turns.js'
import { slices } from '../../limits.js'
import { type Keyring, keyIdOf, PLAIN, sealingOf } from '../../log/chain.js'
import { decoded, encoded } from '../../log/codec.js'
import type { NewEvent, StoredEvent } from '../../log/event.js'
import { chainAt } from '../../log/logEnd.js'
import type { Moment } from '../../log/logQuery.js'
import { pages } from '../../log/pages.js'
import type { Erasure, Storage } from '../../storage/storage.js'
import { sealedHead } from '../seal.js'
import { type Compared, comparedTables } from './compare.js'
import { LoggedErasures } from './erasures.js'
import { BackupError, type TokenUse } from './format.js'
import { restoreImages } from './images.js'
import { importLog } from './import.js'
import { partsOf } from './read.js'
import { type BackupReport, verifyBackup } from './verify.js'

const PAGE = 200
const USES_AT_ONCE = 500
/** One event may tell of thousands of positions. */
const EVENTS_AT_ONCE = 50
const cause = { actorId: SYSTEM_ID, actorName: SYSTEM_NAME, tokenId: null, address: null, requestId: null }

/** A backup that was read through and holds, and how much of it is to be restored. */
export interface ReadBackup {
  readonly report: BackupReport
  readonly erasures: LoggedErasures
  /** The last position that is restored. */
  readonly through: number
}

/** What a restore came to. */
export interface Restored extends Compared {
  /** The last position of the backup that is in the log, and its chain. */
  readonly position: number
  readonly chain: string
  /** How many events were appended that tell again what was erased behind that position. */
  readonly appendedErasures: number
  readonly tokenUses: number
  /** How many images somebody shows. */
  readonly images: number
}

/** Reads a backup through before anything is changed. `until` is a position or a time; the last one without it. Throws `BackupError`. */
export async function readBackup(
  files: readonly string[],
  keys: Keyring,
  until: Moment | undefined,
  progress?: (position: number) => void
): Promise<ReadBackup> {
  const erasures = new LoggedErasures()
  let through = 0
  const see = (event: StoredEvent) => {
    erasures.see(event)
    if (until && 'time' in until && event.at <= until.time) through = event.position
  }
  const report = await verifyBackup(files, { keys, see, progress })
  const { position, at } = report.end
  if (!until) return { report, erasures, through: position }
  if ('position' in until) through = until.position
  if (through < 1) throw new BackupError('Nothing of the backup is that old.')
  if (through > position)
    throw new BackupError(`The backup ends at position ${position}, of ${at}: before what --until names.`)
  return { report, erasures, through }
}

/**
 * Takes a backup that was read over into a database that is set up and empty, or holds the beginning of it: an interrupted
 * restore is run again. Positions, times and chain stay as they are; what the log says was erased stays erased, or goes. At the
 * end the read tables are held against the digests in the backup, or against a replay where it has none of that position. `open`
 * says where a replay is made; without it there is none, and nothing is held against anything then. Throws `BackupError`.
 */
export async function restoreBackup(
  storage: Storage,
  backup: ReadBackup,
  keys: Keyring,
  now: number,
  open: (() => Promise<Scratch>) | null,
  progress?: (position: number) => void
): Promise<Restored> {
  const { report, erasures, through } = backup
  const told = erasures.eventsBehind(through)
  const { end, appended } = await importedBefore(storage, through, told)
  const head = await importLog(storage, eventsOf(backup), keys, progress, end)
  await eraseLogged(storage, erasures, end.position)
  const isWhole = through === report.end.position
  const tokenUses = await restoreUses(storage, report.uses, isWhole ? null : head.at)
  const images = report.images > 0 ? await restoreImages(storage, report.files) : 0
  const compared = await comparedTables(storage, report, through, open)
  await appendErasures(storage, told.slice(appended), keys, now)
  return { position: head.position, chain: head.chain, appendedErasures: told.length, tokenUses, images, ...compared }
}

/** Where what an earlier run has imported ends, and how many of the events that tell again what was erased it has appended to that. */
async function importedBefore(storage: Storage, through: number, told: readonly NewEvent[]) {
  const end = await storage.head()
  const appended = end.position - through
  const chain = await chainAt(storage, through)
  if (appended <= 0 || appended > told.length || chain === undefined) return { end, appended: 0 }
  for await (const page of pages(storage.readLog, through, end.position, PAGE)) {
    for (const { position, type, payload } of page) {
      const again = told[position - through - 1]
      if (again?.type !== type || encoded(again, codec).text !== payload.text) return { end, appended: 0 }
    }
  }
  return { end: { ...end, position: through, chain }, appended }
}

async function* eventsOf({ report, erasures, through }: ReadBackup): AsyncGenerator<StoredEvent, void> {
  for (const file of report.files) {
    for await (const part of partsOf(file)) {
      if (part.kind !== 'event') continue
      if (part.event.position > through) return
      yield erasures.applied(part.event)
      await giveWay()
    }
  }
}

/** Takes out what an earlier run has brought up to a position, and what is told since to be erased. */
async function eraseLogged(storage: Storage, erasures: LoggedErasures, through: number): Promise<void> {
  if (erasures.isEmpty) return
  for await (const page of pages(storage.readLog, 0, through, PAGE)) {
    const told = page.flatMap((event): readonly Erasure[] => {
      const { payload, who } = erasures.applied(event)
      return [
        ...(payload === event.payload ? [] : [{ event, part: 'payload' as const, text: payload.text }]),
        ...(who === event.who ? [] : [{ event, part: 'who' as const, text: who.text }])
      ]
    })
    if (told.length > 0) await storage.erase(told)
    await giveWay()
  }
}

/** Of a log that is cut off, only what is not later than its end. */
async function restoreUses(storage: Storage, all: readonly TokenUse[], latest: string | null): Promise<number> {
  const uses = all.filter(([, at]) => latest === null || at <= latest)
  for (const some of slices(uses, USES_AT_ONCE)) await storage.touchTokens(new Map(some))
  return uses.length
}

async function appendErasures(storage: Storage, told: readonly NewEvent[], keys: Keyring, now: number): Promise<void> {
  for (let i = 0; i < told.length; i += EVENTS_AT_ONCE) {
    const head = await storage.head()
    const sealing = sealingOf(keys, keyIdOf(head)) ?? PLAIN
    const happening = { events: told.slice(i, i + EVENTS_AT_ONCE), cause, commandId: randomUUID(), now }
    const events = withPositions(happening, head, codec, new Map(), sealing.link)
    const ops = events.flatMap((event) => project(decoded(event, codec)))
    const { position, chain, at } = events.at(-1) ?? head
    const next = sealedHead({ ...head, position, chain, at }, sealing)
    if ((await storage.commit({ after: head, events, ops, head: next })) !== 'committed')
      throw new BackupError('Somebody else writes to this database. Stop that, and restore into an empty one.')
  }
}
