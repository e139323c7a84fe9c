import { collectionContent } from '../../../commands/records/collection/events.js'
import type { CollectionContent } from '../../../commands/records/collection/fields.js'
import { collectionKind } from '../../../commands/records/kinds.js'
import type { CollectionSettings, Variable } from '../formats/model.js'
import type { Found, PlannedChange } from './plan.js'
import { bodyFields, changedFields } from './rowFields.js'

/** What a file says of the collection itself. */
export type CollectionOfFile = CollectionSettings & Pick<CollectionContent, 'name'>

/** What the collection itself becomes by an import: null where it stays as it is. */
export interface Settled {
  readonly content: CollectionContent | null
  readonly shown: PlannedChange | null
  /** True where it stays otherwise than the file has it. */
  readonly isKept: boolean
}

/**
 * The name and the settings of a collection after an import. Where nobody has changed them since the last one they become as the
 * file has them; otherwise what is empty is filled, variables and headers are added, and the rest stays.
 */
export function settledSettings(file: CollectionOfFile, found: Found | null, overwrite: boolean): Settled {
  if (!found) return { content: collectionKind.whole(file, null), shown: null, isKept: false }
  const { collection: row, previous, touched } = found
  const { id } = row
  const now = collectionContent.parse(bodyFields(row))
  const isAsBrought = previous !== null && (row.revision <= previous.position || touched.has(id))
  const isUntouched = isAsBrought && !previous.data.kept.includes(id)
  // Whoever names a collection to import into has named it.
  const named = { ...now, ...file, name: previous ? file.name : now.name }
  const meant = { ...named, variables: withHidden(file.variables, now.variables) }
  const next = overwrite || isUntouched ? meant : filled(now, meant)
  const fields = changedFields(next, row)
  const differing = changedFields(meant, { body: JSON.stringify(next) })
  const told = { kind: 'collection', id, name: now.name, path: [] } as const
  const isKept = differing.length > 0
  if (fields.length > 0) return { content: next, shown: { change: 'update', ...told, fields }, isKept }
  const reason = 'what is filled in here stays'
  return { content: null, shown: isKept ? { change: 'conflict', ...told, fields: differing, reason } : null, isKept }
}

function filled(now: CollectionContent, meant: CollectionContent): CollectionContent {
  const added = <T extends { readonly key: string }>(here: readonly T[], more: readonly T[]) => {
    const known = new Set(here.map(({ key }) => key))
    return [...here, ...more.filter(({ key }) => !known.has(key))]
  }
  return {
    ...now,
    variables: added(now.variables, meant.variables),
    headers: added(now.headers, meant.headers),
    auth: now.auth.type === 'none' ? meant.auth : now.auth,
    preRequestScript: now.preRequestScript.trim() === '' ? meant.preRequestScript : now.preRequestScript,
    postRequestScript: now.postRequestScript.trim() === '' ? meant.postRequestScript : now.postRequestScript
  }
}

/** Variables of a file, with the values that its source keeps out of files as they are here: such a file takes none away. */
export function withHidden(file: readonly Variable[], here: readonly Variable[]): Variable[] {
  const values = new Map(here.map(({ key, value }) => [key, value]))
  return file.map((one) => (one.share || one.value !== '' ? one : { ...one, value: values.get(one.key) ?? '' }))
}
