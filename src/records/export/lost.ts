/** What several formats have no place for, as it is told. */

export const STREAM_LOST = 'That a request takes a stream of events is left out.'
