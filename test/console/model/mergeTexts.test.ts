import * as assert from 'uvu/assert'
import { isMarked, mergeTexts } from '../../../clients/console/src/model/mergeTexts.js'
import { suite } from '../../support/suite.js'

const test = suite('merging what two people made of a text')

const lines = (...all: readonly string[]) => all.join('\n')
const base = lines('one', 'two', 'three', 'four', 'five')

test('changes of other lines are both made', () => {
  const mine = lines('ONE', 'two', 'three', 'four', 'five')
  const theirs = lines('one', 'two', 'three', 'five', 'six')
  assert.equal(mergeTexts(base, mine, theirs), {
    text: lines('ONE', 'two', 'three', 'five', 'six'),
    isMarked: false
  })
})

test('the same change is made once', () => {
  const both = lines('one', 'TWO', 'three', 'four', 'five')
  assert.equal(mergeTexts(base, both, both), { text: both, isMarked: false })
})

test('lines that both have changed stand between marks, which can be told from text', () => {
  const merged = mergeTexts(base, base.replace('three', 'mine'), base.replace('three', 'theirs'))
  assert.is(
    merged?.text,
    lines('one', 'two', '<<<<<<< mine', 'mine', '=======', 'theirs', '>>>>>>> theirs', 'four', 'five')
  )
  assert.ok(merged?.isMarked && isMarked(merged.text))
  assert.not(isMarked(lines('a << b', '=======', 'c')))
})

test('what both have added at one place is between marks, each whole', () => {
  const merged = mergeTexts(base, `${base}\nmine`, `${base}\ntheirs`)
  assert.is(merged?.text, lines(base, '<<<<<<< mine', 'mine', '=======', 'theirs', '>>>>>>> theirs'))
})

test('a change that spans two of the other side is one place with them', () => {
  const mine = lines('one', 'MINE', 'five')
  const theirs = lines('one', 'TWO', 'three', 'FOUR', 'five')
  const merged = mergeTexts(base, mine, theirs)
  const between = ['<<<<<<< mine', 'MINE', '=======', 'TWO', 'three', 'FOUR', '>>>>>>> theirs']
  assert.is(merged?.text, lines('one', ...between, 'five'))
})

test('texts of more lines than a call takes arguments are merged too', () => {
  const long = Array.from({ length: 300_000 }, (_, i) => `${i % 10}`)
  const [mine, theirs] = [long.with(0, 'mine'), long.with(-1, 'theirs')]
  const merged = mergeTexts(long.join('\n'), mine.join('\n'), theirs.join('\n'))
  assert.equal([merged?.isMarked, merged?.text.startsWith('mine\n1')], [false, true])
})

test('texts that have nothing in common are not merged', () => {
  const all = (word: string) => Array.from({ length: 3000 }, (_, i) => `${word} ${i}`).join('\n')
  assert.is(mergeTexts(all('base'), all('mine'), all('theirs')), null)
})

test.run()
