import { allows, type Caller } from '../../../../commands/context.js'
import { environmentContent } from '../../../../commands/records/environment/events.js'
import type { EnvironmentContent } from '../../../../commands/records/environment/fields.js'
import { environmentKind } from '../../../../commands/records/kinds.js'
import { mayCreate } from '../../../../commands/records/lockable.js'
import type { EnvironmentChange } from '../../../../commands/records/source/environments.js'
import { isInItself } from '../../../../commands/records/within.js'
import type { Ledger } from '../../../ledger/ledger.js'
import { giveWay } from '../../../lib/turns.js'
import { WHOLE_LOG } from '../../../storage/search.js'
import type { Row } from '../../../storage/storage.js'
import { type EnvironmentOfFile, environmentKey } from '../../formats/model.js'
import { rowAt } from '../../history/past.js'
import { versionTypes } from '../../history/streams.js'
import { withHidden } from '../collection.js'
import type { PlannedChange } from '../plan.js'
import { uuidOf } from '../records.js'
import { bodyFields } from '../rowFields.js'
import { parentsFirst } from './parentsFirst.js'

/** What an import comes to for environments: what is told of it, and what its command does. */
export interface EnvironmentPlan {
  readonly shown: readonly PlannedChange[]
  readonly unchanged: number
  readonly changes: readonly EnvironmentChange[]
  /** All that there are of the file then. */
  readonly ids: readonly string[]
  /** The names of those that the caller may not make. */
  readonly refused: readonly string[]
}

interface Planning {
  readonly caller: Caller
  readonly overwrite: boolean
  /** The moment that they are compared with; null for now. */
  readonly asOf: number | null
  /** What environments are told apart by that their file has no id for: their format, and the collection that they come with. */
  readonly scope: readonly (string | null)[]
}

const HERE = 'it is here in another form'
const DELETED = 'it was deleted here'
const NOT_OPEN = 'this account may not change it'

/**
 * Compares the environments of a file with those that are there. One that is there stays as it is, and one that was deleted here
 * stays away, unless they are to be replaced. Nothing is changed.
 */
export async function planEnvironments(
  ledger: Pick<Ledger, 'storage' | 'readModel'>,
  environments: readonly EnvironmentOfFile[],
  { caller, overwrite, asOf, scope }: Planning
): Promise<EnvironmentPlan> {
  const shown: PlannedChange[] = []
  const changes: EnvironmentChange[] = []
  const refused: string[] = []
  const ids = new Map<string, string>()
  const unseen = new Map<string, string>()
  let unchanged = 0
  /** What is below an environment that the caller may not see stays there, and nothing else is put there. */
  const parentIn = (key: string, row: ExistingEnvironment['row']) =>
    ids.get(key) ?? (row !== null && row.parentUuid === unseen.get(key) ? row.parentUuid : null)
  const existing = new Map<string, ExistingEnvironment>()
  for (const one of environments) {
    const key = environmentKey(one)
    existing.set(key, await existingEnvironment(ledger, [...scope, key], asOf))
    await giveWay()
  }
  const isTurned = turnedIn(environments, existing)
  for (const one of parentsFirst(environments)) {
    await giveWay()
    const key = environmentKey(one)
    const here = existing.get(key)
    if (!here || ids.has(key) || unseen.has(key)) continue
    const { id, row, wasDeleted } = here
    const told = { kind: 'environment', id, name: one.name, path: [] } as const
    if (row && !allows(caller.environmentAccess, id)) {
      unseen.set(key, id)
      shown.push({ change: 'conflict', ...told, reason: NOT_OPEN })
      continue
    }
    const parent = one.parent === null ? null : parentIn(one.parent, row)
    const content = { ...contentOf(one, row, parent), ...(parent === null && isTurned(key) && { parentUuid: null }) }
    const isOpen = row ? !caller.viewed.includes(id) : mayCreate(caller, environmentKind)
    if (!row && !isOpen) {
      refused.push(one.name)
      continue
    }
    if (!row && wasDeleted && !overwrite) {
      shown.push({ change: 'conflict', ...told, reason: DELETED })
      continue
    }
    ids.set(key, id)
    if (!row) {
      changes.push({ what: 'create', id, content })
      shown.push({ change: 'create', ...told })
      continue
    }
    const fields = differing(content, row)
    if (fields.length === 0) unchanged++
    else if (!overwrite || !isOpen)
      shown.push({ change: 'conflict', ...told, fields, reason: isOpen ? HERE : NOT_OPEN })
    else {
      changes.push({ what: 'update', id, revision: row.revision, content })
      shown.push({ change: 'update', ...told, fields })
    }
  }
  return { shown, unchanged, changes, ids: [...ids.values()], refused }
}

interface ExistingEnvironment {
  readonly id: string
  readonly row: Row<typeof environmentKind.table.columns> | null
  readonly wasDeleted: boolean
}

/** Tells of which of these the one that they are below here is to be below them: the file has them the other way round. */
function turnedIn(
  environments: readonly EnvironmentOfFile[],
  existing: ReadonlyMap<string, ExistingEnvironment>
): (key: string) => boolean {
  const keys = new Map([...existing].map(([key, { id }]) => [id, key]))
  const parents = new Map(environments.map((one) => [environmentKey(one), one.parent]))
  const parentHere = (key: string) => keys.get(existing.get(key)?.row?.parentUuid ?? '') ?? null
  return (key) => isInItself(key, (one) => (one === key ? parentHere(one) : (parents.get(one) ?? null)))
}

/** The environment that the source calls by this key: as it is, or under the next id that nobody has used yet. */
async function existingEnvironment(
  ledger: Pick<Ledger, 'storage' | 'readModel'>,
  key: readonly (string | null)[],
  asOf: number | null
): Promise<ExistingEnvironment> {
  const through = asOf ?? WHOLE_LOG.through
  let wasDeleted = false
  for (let count = 0; ; count++) {
    const id = uuidOf(['environment', ...key, count])
    const row = await rowThen(ledger, id, asOf)
    if (row) return { id, row, wasDeleted: false }
    const [past] = await ledger.storage.lastOf([`environment-${id}`], versionTypes('environment'), through)
    if (!past) return { id, row: null, wasDeleted }
    wasDeleted = true
  }
}

async function rowThen(
  { storage, readModel }: Pick<Ledger, 'storage' | 'readModel'>,
  id: string,
  asOf: number | null
): Promise<ExistingEnvironment['row']> {
  const { table } = environmentKind
  if (asOf === null) return (await readModel.get(table, id)) ?? null
  // A row of the past of this kind has the columns of its table.
  return (await rowAt({ storage, readModel }, 'environment', id, asOf)) as ExistingEnvironment['row']
}

/** What of the body of an environment's row is looked at by itself. */
const held = environmentContent.pick({ variables: true })

function contentOf({ name, variables }: EnvironmentOfFile, row: ExistingEnvironment['row'], parent: string | null) {
  const here = row ? held.parse(bodyFields(row)).variables : []
  const content = { name, variables: withHidden(variables, here) }
  // One that adds to nothing in the file may be put below another one here.
  return environmentKind.whole(parent === null ? content : { ...content, parentUuid: parent }, row)
}

function differing(content: EnvironmentContent, row: NonNullable<ExistingEnvironment['row']>): readonly string[] {
  const now: Readonly<Record<string, unknown>> = { ...JSON.parse(row.body), parentUuid: row.parentUuid }
  return Object.entries(content)
    .filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(now[key]))
    .map(([key]) => key)
}
