import type { TableSpec } from '../../src/storage/storage.js'
import { commentsTable } from './comment/table.js'
import { mlsCommitsTable, mlsWelcomesTable } from './mls/table.js'

/** Columns that say what a row is about. */
export type AboutColumns = { readonly targetKind: 'id'; readonly targetId: 'id' }

/**
 * The tables of what is about things that are discussed, by kind of stream: listed by `byTarget`, out of sight where the thing is
 * not there, and erased with it.
 */
export const aboutThings: Readonly<Record<string, TableSpec<AboutColumns>>> = {
  comment: commentsTable,
  mlscommit: mlsCommitsTable,
  mlswelcome: mlsWelcomesTable
}
