import type { ListOptions, ReadStore, TableSpec } from '../src/storage/storage.js'
import type { JsonText } from './record.js'

/**
 * A list reply as data: what to read, and what it depends on, so that the reply can be kept until that changes.
 * The reply is `{"<name>": [...]}`; `key` tells apart lists of one name and scope.
 */
export interface Listing {
  readonly name: string
  readonly key: string
  readonly table: TableSpec
  readonly scope: string | null
  readonly read: (read: ReadStore) => Promise<readonly JsonText[]>
}

/** An access list as part of a question to the store. */
export function within(access: readonly string[]): ListOptions {
  return access.includes('*') ? {} : { ids: access }
}

/** Callers with the same access get the same list. */
export function accessKey(access: readonly string[]): string {
  return access.includes('*') ? '*' : [...access].sort().join(' ')
}
