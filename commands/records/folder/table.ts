import { orderedTable } from '../tables.js'

/** Folders, in an order of their own below each parent. */
export const foldersTable = orderedTable('folders')
