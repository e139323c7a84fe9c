import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { type Caller, requireCollection } from '../../../commands/context.js'
import type { PriorOutcome } from '../../../commands/log/idempotency/decide.js'
import { existingCollection } from '../../../commands/records/collection/decide.js'
import { collectionKind, environmentKind } from '../../../commands/records/kinds.js'
import { mayCreate, requireWildcard } from '../../../commands/records/lockable.js'
import type { SourceCommand } from '../../../commands/records/source/decide.js'
import { errors, HubError } from '../../errors.js'
import type { CommandOrigin, Ledger } from '../../ledger/ledger.js'
import type { Frozen } from '../../lib/frozen.js'
import { giveWay } from '../../lib/turns.js'
import { commandAround } from '../../log/eventsOfCommand.js'
import { type CollectionTree, environmentKey, type Note, note } from '../formats/model.js'
import { type EnvironmentPlan, planEnvironments } from './environments/plan.js'
import { type CollectionState, collectionAt, collectionNow, foundIn, importAt, previousOf } from './found.js'
import { IMPORT_FORMATS, type Imported } from './imported.js'
import { type Plan, type PlannedChange, type PlanOptions, plannedChange, planOf } from './plan.js'
import { type ImportRecord, recordsOf, sourceIdIn, uuidOf } from './records.js'
import { bodyFields } from './rowFields.js'

/** What is to be imported, and where it goes: into a collection that is there, or null for a new one. */
export interface ImportOptions extends PlanOptions {
  readonly into: string | null
}

/** What an import has done, or would do. */
export const importReport = z.object({
  format: z
    .enum(IMPORT_FORMATS)
    .describe('The format of the file: the one that was named, or was told from the content.'),
  part: z.string().describe('Which part of the file this is.'),
  parts: z
    .array(
      z.object({
        id: z.string().describe('What it is chosen by.'),
        name: z.string().describe('What the file calls it; empty where it does not.'),
        brings: z.enum(['collection', 'environments']).describe('What it brings.'),
        format: z.enum(IMPORT_FORMATS).describe('The format that it is of.')
      })
    )
    .describe('Everything that the file brings: one thing, or of an archive or a data dump several.'),
  brings: z
    .enum(['collection', 'environments'])
    .describe('What the file brings: a collection, which may come with environments, or `environments` alone.'),
  collection: z
    .object({
      id: z.string().nullable().describe('The id; null for one that is yet to be made, and where there is none.'),
      name: z.string().describe('What it is called; empty where there is none.')
    })
    .describe('The collection that the file goes into. A file of environments alone goes into none.'),
  counts: z
    .object({
      created: z.number().describe('Records that are made.'),
      updated: z.number().describe('Records that are changed.'),
      deleted: z.number().describe('Records that are deleted.'),
      unchanged: z.number().describe('Records that are as the file has them.'),
      conflicts: z.number().describe('Records that stay, since somebody has changed them here.'),
      gone: z.number().describe('Records that stay, though the file has them no more.')
    })
    .describe('How many records are made, changed, deleted or left.'),
  changes: z.array(plannedChange).describe('What changes, and what stays though the file has it otherwise.'),
  notes: z.array(note).describe('What in the file the hub has no place for, and where it is.'),
  position: z
    .number()
    .nullable()
    .describe(
      'The position of the last event of the import, by which it can be taken back; null where nothing was done.'
    )
})
export type ImportReport = Frozen<z.infer<typeof importReport>>

/** An import that is ready: what would come of it, and how to do exactly that. */
export interface PlannedImport {
  readonly report: ImportReport
  /** False where all is as the file has it already, but for what stays. */
  readonly changesAnything: boolean
  readonly command: SourceCommand
}

/** A plan is made again where somebody has changed what it is about before it was carried out. */
const ATTEMPTS = 4

/** Refuses who may not import there, before the file is looked at. */
export async function requireTarget(
  { readModel }: Pick<Ledger, 'readModel'>,
  caller: Caller,
  into: string | null
): Promise<void> {
  if (into === null) {
    // What the file brings is not known yet.
    if (!mayCreate(caller, environmentKind)) requireWildcard(caller, collectionKind)
    return
  }
  requireCollection(caller, into)
  await existingCollection(into, readModel)
}

/** Compares what a file has brought with what is there. Nothing is changed. */
export async function planImport(
  ledger: Ledger,
  caller: Caller,
  imported: Imported,
  options: ImportOptions
): Promise<PlannedImport> {
  await requireTarget(ledger, caller, options.into)
  if (imported.tree && options.into === null) requireWildcard(caller, collectionKind)
  await ledger.readModel.current()
  const asOf = ledger.readModel.head.position
  const id = idOf(imported, options, randomUUID)
  const isThere = imported.tree !== null && options.into !== null
  const standing = isThere ? await collectionNow(ledger, id) : null
  if (standing && !standing.collection) throw errors.notFound('Collection')
  return planAgainst(standing, { ledger, caller, imported, options, id, asOf, moment: null })
}

/** The collection that it is or becomes; of environments alone what they are imported as. */
function idOf({ format, tree, environments }: Imported, { into }: ImportOptions, make: () => string): string {
  if (tree) return into ?? make()
  return uuidOf(['environments', format, ...environments.map(environmentKey)])
}

interface Planning {
  readonly ledger: Ledger
  readonly caller: Caller
  readonly imported: Imported
  readonly options: ImportOptions
  readonly id: string
  readonly asOf: number
  /** The moment that it is compared with; null for now. */
  readonly moment: number | null
}

/** Compares what a file has brought with what is there at one moment; null for a collection that is yet to be made. */
async function planAgainst(standing: CollectionState | null, planning: Planning): Promise<PlannedImport> {
  const { imported, options, id, asOf } = planning
  const { format, part, parts, tree } = imported
  const beside = await environmentsOf(planning)
  const inside = tree && (await collectionPlan(standing, tree, planning))
  const counts = countsOf(beside, inside?.plan ?? null)
  const notes = beside.refused.length === 0 ? imported.notes : [...imported.notes, refusal(beside.refused)]
  const { created, updated, deleted } = counts
  const name = inside?.name ?? ''
  const told = inside ? { id: options.into, name } : { id: null, name }
  const data = {
    ...{ collectionId: inside ? id : null, name, format, counts: { created, updated, deleted } },
    ...{ notes: notes.reduce((sum, { count }) => sum + count, 0), ...(inside?.plan.members ?? NO_MEMBERS) },
    environments: [...beside.ids]
  }
  const changes = [...(inside?.plan.shown ?? []), ...beside.shown]
  const brings = inside ? 'collection' : 'environments'
  return {
    report: { format, part, parts, brings, collection: told, counts, changes, notes, position: null },
    changesAnything: inside?.changesAnything === true || beside.changes.length > 0,
    command: {
      type: 'ImportSource',
      id,
      collection: inside?.collection ?? null,
      changes: inside?.plan.changes ?? [],
      environments: beside.changes,
      asOf,
      source: { id: inside?.sourceId ?? id, data }
    }
  }
}

const NO_MEMBERS = { folders: [], requests: [], documents: [], kept: [] }

/** The environments of a file. Those of a collection are told apart by it, where they have no id of their own. */
function environmentsOf({ ledger, caller, imported, options, moment }: Planning): Promise<EnvironmentPlan> {
  const { format, tree, environments } = imported
  const scope = [format, tree && (tree.sourceId ?? tree.name)]
  return planEnvironments(ledger, environments, { caller, overwrite: options.overwrite, asOf: moment, scope })
}

/** What a file brings to its collection. */
async function collectionPlan(standing: CollectionState | null, tree: CollectionTree, planning: Planning) {
  const { ledger, caller, imported, options, id } = planning
  const sourceId = sourceIdIn(id, imported.format, tree)
  const records: ImportRecord[] = []
  for (const record of recordsOf(sourceId, tree, standing?.held ?? new Map())) {
    records.push(record)
    await giveWay()
  }
  const previous = standing && (await previousOf(ledger, sourceId, standing.through))
  const found = standing && (await foundIn(ledger, standing, previous, records))
  const plan = await planOf({ name: tree.name, ...tree.settings }, records, found, options, caller)
  const { content } = plan.settings
  return {
    plan,
    sourceId,
    name: content?.name ?? (found ? bodyFields(found.collection).name : tree.name),
    changesAnything: content !== null || plan.changes.length > 0,
    collection: content && { content, revision: found ? found.collection.revision : null }
  }
}

function refusal(names: readonly string[]): Note {
  const what = 'Environments are left out: this account may not make any.'
  return { what, count: names.length, places: names.slice(0, 20) }
}

/**
 * Imports a file that was read: one command, all of it or nothing. Returns what it has done; where the request repeats one, what
 * that has done.
 */
export async function runImport(
  ledger: Ledger,
  origin: CommandOrigin,
  caller: Caller,
  imported: Imported,
  options: ImportOptions
): Promise<ImportReport> {
  for (let attempt = 1; ; attempt++) {
    const planned = await planImport(ledger, caller, imported, options)
    try {
      const { position, repeats } = await ledger.run(planned.command, origin)
      if (repeats) return await repeatedReport(ledger, caller, imported, options, repeats)
      // The last event of a command under a key is that of the key.
      return reportAt(planned, origin.idempotency ? position - 1 : position)
    } catch (error) {
      if (!(error instanceof HubError) || error.status !== 412 || attempt === ATTEMPTS) throw error
    }
  }
}

/** Does what was planned; 412 where something of it is not as it was when that was done. */
export async function carryOut(ledger: Ledger, origin: CommandOrigin, planned: PlannedImport): Promise<ImportReport> {
  return reportAt(planned, (await ledger.run(planned.command, origin)).position)
}

/** The report of an import that was carried out, whose own event is at this position if it has one. */
function reportAt({ report, command, changesAnything }: PlannedImport, position: number): ImportReport {
  const collection = report.brings === 'collection' ? { ...report.collection, id: command.id } : report.collection
  return { ...report, collection, position: changesAnything ? position : null }
}

/**
 * The report of an import that was carried out under a key before, whose event is at a position. The log does not keep it: it is
 * planned once more, against the collection as it was then, and 410 where that is not what the log says was done, since
 * something of it is erased.
 */
async function repeatedReport(
  ledger: Ledger,
  caller: Caller,
  imported: Imported,
  options: ImportOptions,
  { position, subject }: PriorOutcome
): Promise<ImportReport> {
  const command = await commandAround(ledger.storage, position)
  if (!command || subject === null) throw errors.answerErased()
  const asOf = command.first - 1
  const isThere = imported.tree !== null && options.into !== null
  const standing = isThere ? await collectionAt(ledger, subject, asOf) : null
  if (standing && !standing.collection) throw errors.answerErased()
  const planned = await planAgainst(standing, { ledger, caller, imported, options, id: subject, asOf, moment: asOf })
  const done = command.first === position ? null : await importAt(ledger, position - 1)
  const wasThis = planned.changesAnything
    ? isDeepStrictEqual(done?.data, planned.command.source.data)
    : command.first === position
  if (!wasThis) throw errors.answerErased()
  return reportAt(planned, position - 1)
}

function countsOf(environments: EnvironmentPlan, collection: Plan | null): ImportReport['counts'] {
  const shown = [...environments.shown, ...(collection?.shown ?? [])]
  const of = (change: PlannedChange['change']) => shown.filter((one) => one.change === change).length
  const isNew = collection !== null && collection.settings.content !== null && collection.settings.shown === null
  return {
    created: of('create') + (isNew ? 1 : 0),
    updated: of('update'),
    deleted: of('delete'),
    unchanged: environments.unchanged + (collection?.unchanged ?? 0),
    conflicts: of('conflict'),
    gone: of('gone')
  }
}
