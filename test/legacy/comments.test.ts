import * as assert from 'uvu/assert'
import { comments } from '../../migrations/legacy/discussions.js'
import { Places } from '../../migrations/legacy/places.js'
import { sinkOf } from '../../migrations/legacy/sink.js'
import { LegacySource } from '../../migrations/legacy/source.js'
import { peopleOf } from '../../migrations/legacy/users.js'
import type { NewEvent } from '../../src/log/event.js'
import { fields } from '../http/client.js'
import { suite } from '../support/suite.js'

const test = suite('comments of an older hub')
const AT = '2026-01-01T00:00:00.000Z'

/** What becomes of these comments on a collection, each with its parent and root. */
async function taken(rows: readonly object[]) {
  const all = rows.map((row) => ({
    ...{ targetEntityType: 'collection', targetEntityId: 'c', body: 'text', createdAt: AT, updatedAt: AT },
    ...row
  }))
  const source = await LegacySource.open({
    names: async () => new Set(['users', 'api_tokens', 'collections', 'discussion_comments']),
    async *records(table) {
      if (table === 'discussion_comments') yield* all
    },
    count: async () => 0,
    close: async () => {}
  })
  if (!source) throw new Error('There is no older hub.')
  const events: NewEvent[] = []
  const sink = sinkOf(async (command) => {
    if (command.type === 'ImportRecords') events.push(...command.records)
  })
  const places = new Places()
  places.add('collection', 'c', 'c')
  await comments(source, sink, { people: peopleOf([]), places, since: AT })
  await sink.flush()
  return events.map(({ stream, data }) => {
    const { parentId, rootId, depth } = fields(data)
    return [stream.replace('comment-', ''), parentId, rootId, depth]
  })
}

test('an answer to a comment that cannot be read begins a thread, with what answers it', async () => {
  const unreadable = { bodyFormat: 'encrypted', body: 'x', bodyMetadata: '{}' }
  assert.equal(
    await taken([
      { id: 'a', ...unreadable },
      { id: 'b', parentCommentId: 'a' },
      { id: 'c', parentCommentId: 'b' },
      { id: 'd' },
      { id: 'e', parentCommentId: 'd' }
    ]),
    [
      ['b', null, 'b', 1],
      ['c', 'b', 'b', 2],
      ['d', null, 'd', 1],
      ['e', 'd', 'd', 2]
    ]
  )
})

test.run()
