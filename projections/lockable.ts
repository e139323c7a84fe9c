import { sortKey } from '../commands/keys.js'
import { createdBy } from '../commands/table.js'
import type { DecodedEvent } from '../src/log/event.js'
import type { TableSpec, Value } from '../src/storage/storage.js'
import { nullify, type Projector, patch, put, remove, updatedBy } from './define.js'

/** How the content of a kind `C` is stored. */
interface Stored<C> {
  readonly table: TableSpec
  readonly version: number
  /** The columns that the content sets beside the key of its name; none of them unless told. */
  columns?(content: C): Readonly<Record<string, Value>>
  /** What of the content the body holds; all of it unless told. */
  body?(content: C): object
  /** What further events change, and what these change beside. */
  readonly handlers?: Projector['handlers']
}

type Named = { readonly name: string }
type Whole<C> = { readonly content: C; readonly deletionLocked: boolean; readonly origin: object }

/**
 * The projector of a kind that stands on its own, `label` being how the names of its events begin. The body is the content without
 * attribution and lock, in the order of its schema.
 */
export function lockable<C extends Named>(
  label: string,
  { table, version, columns = () => ({}), body = (content) => content, handlers }: Stored<C>
): Projector {
  const columnsOf = (content: C) => ({ sortKey: sortKey(content.name), ...columns(content) })
  const bodyOf = (id: string, content: C) => ({ id, ...body(content) })
  const whole = (e: DecodedEvent<string, Whole<C>>) => {
    const { content, deletionLocked, origin } = e.data
    return [put(table, e, { deletionLocked, ...columnsOf(content), ...origin }, bodyOf(e.subject, content))]
  }
  return {
    table,
    version,
    handlers: {
      [`${label}Created`]: (e: DecodedEvent<string, C>) => [
        put(table, e, { deletionLocked: false, ...columnsOf(e.data), ...createdBy(e) }, bodyOf(e.subject, e.data))
      ],
      [`${label}Updated`]: (e: DecodedEvent<string, C>) => [
        patch(table, e, { ...columnsOf(e.data), ...updatedBy(e) }, bodyOf(e.subject, e.data))
      ],
      [`${label}DeletionLocked`]: (e) => [patch(table, e, { deletionLocked: true })],
      [`${label}DeletionUnlocked`]: (e) => [patch(table, e, { deletionLocked: false })],
      [`${label}Deleted`]: (e) => [remove(table, e.subject)],
      [`${label}Restored`]: whole,
      [`${label}Imported`]: whole,
      UserDeleted: (e) => [nullify(table, e, ['createdBy', 'updatedBy'], e.subject)],
      ...handlers
    }
  }
}
