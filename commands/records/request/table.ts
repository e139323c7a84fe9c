import { orderedTable } from '../tables.js'

/** Saved requests, in an order that they share with the documents of their container. */
export const requestsTable = orderedTable('requests')
