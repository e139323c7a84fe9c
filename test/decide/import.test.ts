import { systemCaller } from '../../commands/people/user/system.js'
import type { ImportCommand } from '../../commands/takeover/decide.js'
import { emitImported } from '../../commands/takeover/events.js'
import type { NewEvent } from '../../src/log/event.js'
import { suite } from '../support/suite.js'
import { atFirst, given } from './given.js'
import { collection } from './made.js'
import { ada, ops } from './people.js'

const test = suite('deciding on records of an older hub')

const then = '2024-01-02T03:04:05.000Z'
const origin = { createdAt: then, updatedAt: then, createdBy: null, updatedBy: null }
const snippet = (id: string) =>
  emitImported(id, 'SnippetImported', {
    content: { name: id, code: '', scope: 'any', sortOrder: 0 },
    deletionLocked: false,
    origin
  })
const folder = (id: string) =>
  emitImported(id, 'FolderImported', {
    ...{ collectionId: 'c', parentFolderId: null, sortOrder: 0, name: id, marker: null },
    origin
  })
const completed = emitImported('t', 'TakeoverCompleted', { tables: { snippets: 2 } })
const importing = (...records: readonly NewEvent[]): ImportCommand => ({ type: 'ImportRecords', records })
const system = { by: systemCaller }

test('records begin their streams here as they were there, in the order in which they come', () =>
  atFirst.when(importing(snippet('s'), folder('f'), completed), system).then(snippet('s'), folder('f'), completed))

test('records that are here already stay as they are, so an import can be repeated', async () => {
  await given(snippet('s'))
    .when(importing(snippet('s'), snippet('s2'), folder('f')), system)
    .then(snippet('s2'), folder('f'))
  await given(snippet('s'), folder('f'))
    .when(importing(snippet('s'), folder('f')), system)
    .nothing()
})

test('a record of another kind under the same id is another record', () =>
  given(collection('x'))
    .when(importing(snippet('x')), system)
    .then(snippet('x')))

test('only the system account takes records over, administrators do not', async () => {
  for (const caller of [ada, ops]) await atFirst.when(importing(snippet('s')), { by: caller }).refused('Forbidden', 403)
})

test.run()
