import type { Caller } from '../../commands/context.js'
import { systemEditor } from '../../commands/people/user/system.js'
import { tables } from '../../projections/index.js'
import { SearchIndexer } from '../../src/followers/search/indexer.js'
import { type SearchPage, type SearchQuestion, search } from '../../src/followers/search/search.js'
import { type SearchIndex, searchIndex } from '../../src/followers/search/thread.js'
import { editorOrigin, type Ledger } from '../../src/ledger/ledger.js'
import { memoryDatabase } from '../contract/databases.js'
import { newLedger } from '../history/log.js'

/** An account that may see these collections, and nothing else. */
export const reader = (collectionAccess: readonly string[]): Caller => ({
  ...systemEditor,
  ...{ collectionAccess, environmentAccess: [], snippetAccess: [] }
})

/** A log in memory with an index of its own, and how a test asks it. */
export interface Searched {
  run(command: Parameters<Ledger['run']>[0]): Promise<unknown>
  /** A page of the answer, with all that was written before. */
  ask(question: SearchQuestion | string, caller?: Caller): Promise<SearchPage>
  /** The ids of what is found. */
  found(question: SearchQuestion | string, caller?: Caller): Promise<readonly string[]>
  /** The ids of what is found, page by page. */
  paged(q: string, limit: number, caller?: Caller): Promise<readonly string[]>
  /** How many records the index was told of. */
  written(): number
  close(): Promise<void>
}

export async function searched(): Promise<Searched> {
  const database = await memoryDatabase()
  const ledger = await newLedger(await database.open(tables, 'log_'))
  const { index, written } = counting(searchIndex(null))
  const indexer = new SearchIndexer(ledger.storage, ledger.readModel, index)
  const ask: Searched['ask'] = async (question, caller = systemEditor) => {
    for (;;) {
      const asked = typeof question === 'string' ? { q: question } : question
      const page = await search({ readModel: ledger.readModel, indexer }, async () => caller, asked)
      if (page.isComplete) return page
    }
  }
  return {
    run: (command) => ledger.run(command, editorOrigin),
    ask,
    found: async (question, caller) => (await ask(question, caller)).results.map(({ id }) => id),
    async paged(q, limit, caller) {
      const ids: string[] = []
      for (let cursor: string | undefined; ; ) {
        const { results, nextCursor } = await ask({ q, limit, cursor }, caller)
        ids.push(...results.map(({ id }) => id))
        if (nextCursor === null) return ids
        cursor = nextCursor
      }
    },
    written,
    async close() {
      await indexer.close()
      await database.disconnect()
    }
  }
}

function counting(index: SearchIndex) {
  let records = 0
  const counted: SearchIndex = {
    ...index,
    apply(over, to, changes) {
      records += changes.put.length
      return index.apply(over, to, changes)
    }
  }
  return { index: counted, written: () => records }
}
