import { orderedTable } from '../tables.js'

/** Collection documents, in an order that they share with the saved requests of their container. */
export const documentsTable = orderedTable('documents')
