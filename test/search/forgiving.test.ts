import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { isVariant, variantsOf } from '../../src/followers/search/nearby.js'
import { LIMITS } from '../../src/limits.js'
import { content } from '../decide/made.js'
import { suite } from '../support/suite.js'
import { reader, type Searched, searched } from './searched.js'

const test = suite('search that forgives a letter')
let hub: Searched

test.before.each(async () => {
  hub = await searched()
  await collection('c')
})
test.after.each(() => hub.close())

const collection = (id: string) => hub.run({ type: 'CreateCollection', id, name: id })
const request = (id: string, name: string, body = '', collectionId = 'c') =>
  hub.run({ type: 'CreateRequest', id, collectionId, folderId: null, content: content(name, { body }) })

test('a letter too many, too few, another one, and two that changed places are forgiven, and what is found is shown', async () => {
  await request('r', 'List customers')
  for (const q of [
    'custommers',
    'custmers',
    'cusdomers',
    'csutomers',
    'list custmers',
    'custmers list',
    'lsit customers'
  ])
    assert.equal(await hub.found(q), ['r'], q)
  assert.equal(await hub.found('custmers "'), ['r'])
  assert.equal(await hub.found('custme'), ['r'], 'the beginning of a word')
  assert.equal(await hub.found('cstmers'), [], 'two letters')
  const [result] = (await hub.ask('custmers')).results
  assert.equal(result?.snippets, [{ field: 'name', text: 'List customers', matches: [[5, 14]] }])
})

test('words of three letters, numbers and identifiers are taken as they are', async () => {
  await request('r', 'Map of 2024 and a1b2c3')
  for (const q of ['mab', '2025', 'a1b2c4']) assert.equal(await hub.found(q), [], q)
})

test('letters of other alphabets are forgiven as well', async () => {
  await request('r', 'Заказы и Größe')
  assert.equal([await hub.found('закасы'), await hub.found('grosse'), await hub.found('grösze')], [['r'], ['r'], ['r']])
})

test('what is corrected comes behind what is not, and only where that is little', async () => {
  await request('near', 'Orders')
  await request('exact', 'Borders')
  assert.equal(await hub.found('borders'), ['exact', 'near'])
  assert.equal(await hub.paged('borders', 1), ['exact', 'near'])
  await request('in-body', 'Other', 'borders')
  assert.equal(await hub.found('borders'), ['exact', 'in-body', 'near'])
  await request('third', 'Borders again')
  assert.equal(await hub.found('borders'), ['exact', 'third', 'in-body'], 'three are enough')
  assert.equal(await hub.paged('borders', 1), ['exact', 'third', 'in-body'])
})

test('one corrected word comes before several', async () => {
  await request('two', 'Lost customers')
  await request('one', 'Last customer')
  assert.equal(await hub.found('last custome'), ['one', 'two'])
})

test('a correction hints at nothing that the caller may not see', async () => {
  await collection('mine')
  await request('secret', 'Project Nightingale', 'nightingale', 'c')
  await request('own', 'Project Nightingala', '', 'mine')
  const caller = reader(['mine'])
  const page = await hub.ask('nightingal', caller)
  assert.equal(
    page.results.map(({ id }) => id),
    ['own']
  )
  const before = await hub.ask('nightingule', caller)
  assert.equal([before.results, before.nextCursor], [[], null])
  // What others have decides neither what is found nor where it is looked for.
  const asked = ['nightingal', 'nightingula', 'projct', 'project nightingole']
  const found = async () => Promise.all(asked.map((q) => hub.found(q, caller)))
  const alone = await found()
  for (const [i, word] of [...variantsOf('nightingole', false)].entries())
    if (i % 4 === 0) await request(`s${i}`, `Project ${word.text}`, '', 'c')
  assert.equal(await found(), alone)
})

test('words that are not corrected any more since the question has many are looked for as they are', async () => {
  const words = Array.from({ length: 20 }, (_, i) => `something${'abcdefghijklmnopqrst'[i]}`)
  await request('r', words.join(' '))
  assert.equal(await hub.found(`${words.slice(1).join(' ')} somthinga`), [])
  assert.equal(await hub.found(`somthinga ${words.slice(1).join(' ')}`), ['r'])
})

test('the words that are tried are those in which a letter differs, each within bounds', () => {
  const words = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 4, maxLength: 7 })
  fc.assert(
    fc.property(words, words, fc.boolean(), (asked, word, isPrefix) => {
      const variants = [...variantsOf(asked, isPrefix)]
      const isTried = variants.some(({ text, isPrefix }) => (isPrefix ? word.startsWith(text) : word === text))
      const isExact = isPrefix ? word.startsWith(asked) : word === asked
      if (!isExact) assert.is(isVariant(word, asked, isPrefix), isTried, `${word} for ${asked}`)
    })
  )
  const longest = [...variantsOf('ж'.repeat(24), false)].length
  assert.ok(longest < LIMITS.searchCorrections.max, String(longest))
})

test.run()
