import { table } from '../../table.js'

/** Budgets of models. All that admits a call is in columns: lists of those are kept by whoever asks again and again. */
export const llmBudgetsTable = table({
  name: 'llmBudgets',
  columns: {
    ...{ name: 'text', nameKey: 'name', sortKey: 'name', subject: 'id', subjectId: 'id?', model: 'text?', unit: 'id' },
    ...{ period: 'id', most: 'integer', createdAt: 'time', updatedAt: 'time' }
  },
  indexes: {
    byNameKey: { by: ['nameKey'], order: [] },
    byName: { by: [], order: ['sortKey'] }
  },
  scope: 'id'
})

/**
 * What is used of each budget in the period that was counted last, and what calls on their way hold of it: whole tokens, or
 * millionths of a dollar.
 */
export const llmBudgetUseTable = table({
  name: 'llmBudgetUse',
  columns: { subjectId: 'id?', period: 'id', used: 'integer', held: 'integer' },
  indexes: {},
  scope: 'id'
})
