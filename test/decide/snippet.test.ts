import { emitSnippet } from '../../commands/snippet/events.js'
import { suite } from '../support/suite.js'
import { given } from './given.js'

const test = suite('deciding on snippets')

const MOST = 2_000_000_000
const text = { name: 'S', code: '', scope: 'any' } as const
const at = (sortOrder: number) => emitSnippet('s1', 'SnippetCreated', { ...text, sortOrder })
const put = (sortOrder: number) => ({ type: 'UpdateSnippet', id: 's1', content: { ...text, sortOrder } }) as const

test('nobody puts a snippet where there is no room behind it', async () => {
  await given(at(0))
    .when(put(MOST))
    .then(emitSnippet('s1', 'SnippetUpdated', { ...text, sortOrder: MOST }))
  await given(at(0))
    .when(put(MOST + 1))
    .refused('sortOrder must be at most 2000000000.', 400)
})

test('the one that comes behind the last place has its own, and may be saved there', async () => {
  const next = emitSnippet('s2', 'SnippetCreated', { ...text, sortOrder: MOST + 1 })
  await given(at(MOST)).when({ type: 'CreateSnippet', id: 's2', content: text }).then(next)
  const renamed = { ...text, name: 'T', sortOrder: MOST + 1 }
  await given(at(MOST + 1))
    .when({ type: 'UpdateSnippet', id: 's1', content: renamed })
    .then(emitSnippet('s1', 'SnippetUpdated', renamed))
})

test.run()
