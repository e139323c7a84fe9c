import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { askedWords } from '../../src/followers/search/question.js'
import { snippetsOf } from '../../src/followers/search/snippets.js'
import { bounded, TERM_MAX, wordsIn } from '../../src/followers/search/words.js'
import { LIMITS } from '../../src/limits.js'
import { suite } from '../support/suite.js'

const test = suite('words')

const words = (text: string) => [...wordsIn(text)].map((word) => word.text)

test('words are parted by what is neither letter nor digit', () => {
  assert.equal(words('https://api.example.com/v1/users?id={{user_id}}#top'), [
    ...['https', 'api', 'example', 'com', 'v1', 'users', 'id', 'user', 'id', 'top']
  ])
})

test('an identifier is a word as a whole, and so are its parts', () => {
  assert.equal(words('getUserById'), ['getuserbyid', 'get', 'user', 'by', 'id'])
  assert.equal(words('HTTPServer parseJSON v2Beta'), [
    ...['httpserver', 'http', 'server', 'parsejson', 'parse', 'json', 'v2beta', 'v2', 'beta']
  ])
})

test('case, accents and compatibility forms make no difference', () => {
  for (const [one, other] of [
    ['ÉCOLE', 'ecole'],
    ['Straße', 'STRASSE'],
    ['ﬁle', 'FILE'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['Ｆｕｌｌ', 'full']
  ] as const)
    assert.equal(words(one).at(0), words(other).at(0), one)
})

test('where a script puts no spaces, each character is a word', () => {
  assert.equal(words('検索API'), ['検', '索', 'api'])
})

test('a word has its place in the text, and no more characters than a term', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      for (const { text: word, from, to } of wordsIn(text)) {
        assert.ok(word !== '' && from >= 0 && from < to && to <= text.length)
        assert.is(bounded(word), word)
        assert.ok(word.length < TERM_MAX)
        assert.match(word, /^[\p{L}\p{N}]+$/u)
      }
    })
  )
})

test('a run of combining marks as long as a text costs no more than a word', () => {
  const marks = `a${'\u0316\u0301\u0327\u0308'.repeat(LIMITS.searchText.max / 4)}`
  const before = process.cpuUsage()
  assert.equal(words(marks), ['a'])
  const { user, system } = process.cpuUsage(before)
  // It took 1.4 seconds while all of it was normalized.
  assert.ok(user + system < 300_000, `${user + system} µs`)
})

test('the last word of a question is the beginning of one, unless a quotation mark ends it', () => {
  assert.equal(askedWords('List "ord'), [
    { text: 'list', isPrefix: false },
    { text: 'ord', isPrefix: true }
  ])
  assert.equal(askedWords('"ord"'), [{ text: 'ord', isPrefix: false }])
  assert.equal(askedWords('!?'), [])
  assert.is(askedWords('a b '.repeat(100)).length, 32)
})

test('a place that was found shows what is around, and where the words are in it', async () => {
  const text = `${'before '.repeat(50)}then payment and refund${' after'.repeat(50)}`
  const [place] = await snippetsOf([{ field: 'content', weight: 'rest', text }], askedWords('refund pay'), 3)
  assert.ok(place)
  assert.equal(
    place.matches.map(([from, to]) => place.text.slice(from, to)),
    ['payment', 'refund']
  )
  assert.ok(place.text.length <= 200 && place.text.startsWith('before'))
})

test('whatever a text holds, a place in it is whole characters and its matches are in it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 600 }), fc.string({ maxLength: 5 }), async (text, q) => {
      const field = { field: 'content', weight: 'rest', text: text.toWellFormed() } as const
      for (const { text: shown, matches } of await snippetsOf([field], askedWords(q), 3)) {
        assert.ok(shown.isWellFormed() && shown.length <= 200 && matches.length > 0)
        for (const [from, to] of matches) assert.ok(0 <= from && from < to && to <= shown.length)
      }
    })
  )
})

test.run()
