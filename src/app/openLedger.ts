import { codec } from '../../commands/index.js'
import { effectOf } from '../../projections/index.js'
import type { AddressPolicy } from '../config/types.js'
import { Tail } from '../followers/feed/tail.js'
import type { FollowedLedger } from '../followers/followed.js'
import { NoticeBoard } from '../followers/notices/board.js'
import { forgetMarks } from '../followers/notices/marks.js'
import { SearchIndexer } from '../followers/search/indexer.js'
import { searchIndex } from '../followers/search/thread.js'
import { ledgerOn } from '../ledger/ledger.js'
import { acceptance } from '../ledger/lostEnds.js'
import { PLAIN, type Sealing } from '../log/chain.js'
import { ReadModel } from '../readmodel/readModel.js'
import { priorRow } from '../records/history/priorOutcome.js'
import { imageBefore, releaseImage } from '../records/images/shown.js'
import type { Storage } from '../storage/storage.js'

/** One log with its read tables, open for commands and questions, and what follows it in this process. */
export interface OpenLedger extends FollowedLedger {
  /** True where the log went back, and it may be served anew: see `acceptance`. This ledger has to be closed for that. */
  readonly mayBeginAnew: () => Promise<boolean>
}

/**
 * Opens a ledger on a database that is migrated. `models` tells the ids of the models on offer, or null for any,
 * `addresses` how much of a client's address the log keeps; `now` is the clock that commands and events go by. `sealing`
 * is how the log is continued; without a key, unless told otherwise. The search index is in the file at `searchPath`, or in one
 * without a name.
 */
export async function openLedger(
  storage: Storage,
  models: () => ReadonlySet<string> | null,
  addresses: () => AddressPolicy = () => 'full',
  now: () => number = Date.now,
  sealing: Sealing = PLAIN,
  searchPath: string | null = null
): Promise<OpenLedger> {
  const readModel = await ReadModel.open(storage, (type) => (codec.knows(type) ? effectOf(type) : null))
  const images = { storage, readModel }
  const ledger = ledgerOn(storage, readModel, {
    ...{ models, addresses, now, sealing },
    priorRow: (table, outcome) => priorRow(images, table, outcome)
  })
  const indexer = new SearchIndexer(storage, readModel, searchIndex(searchPath))
  const tail = new Tail(storage, readModel)
  return {
    ...ledger,
    tail,
    board: new NoticeBoard({ storage, readModel, tail, now }),
    indexer,
    mayBeginAnew: acceptance(storage, readModel),
    async run(command, origin, answer) {
      const image = await imageBefore(readModel, command)
      const answered = await ledger.run(command, origin, answer)
      // It has happened, whatever becomes of the image: one that is left is looked for every day.
      if (image !== null) await releaseImage(images, image).catch(() => {})
      if (command.type === 'DeleteUser') await forgetMarks(storage.state, command.id).catch(() => {})
      return answered
    },
    async close() {
      await indexer.close()
      await ledger.close()
    }
  }
}
