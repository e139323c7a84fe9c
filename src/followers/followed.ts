import type { Ledger } from '../ledger/ledger.js'
import type { Tail } from './feed/tail.js'
import type { NoticeBoard } from './notices/board.js'
import type { SearchIndexer } from './search/indexer.js'

/** A ledger with what follows its log in this process. */
export interface FollowedLedger extends Ledger {
  /** The end of the log, for those who follow it. */
  readonly tail: Tail
  /** What has happened lately that somebody may be told of. */
  readonly board: NoticeBoard
  /** What brings the search index of this process forward. */
  readonly indexer: SearchIndexer
}
