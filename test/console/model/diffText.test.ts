import * as assert from 'uvu/assert'
import { type Block, textDiff } from '../../../clients/console/src/model/diffText.js'
import type { DiffLine } from '../../../clients/console/src/model/diffWords.js'
import { suite } from '../../support/suite.js'

const test = suite('differences of texts')

const lineOf = ({ pieces }: DiffLine) =>
  pieces
    .map((piece) => ('skipped' in piece ? `<${piece.skipped}>` : piece.isChanged ? `[${piece.text}]` : piece.text))
    .join('')

const shown = (blocks: readonly Block[]) =>
  blocks.map((block) =>
    block.is === 'same'
      ? `${block.lines.length} the same from ${block.at.from}, ${block.at.to}`
      : { removed: block.removed.map(lineOf), added: block.added.map(lineOf) }
  )

test('a line that differs has its words marked, and the others are told as the same', () => {
  const { blocks } = textDiff('a\nthe amount is 100 now\nb', 'a\nthe amount is 250 now\nb')
  assert.equal(shown(blocks), [
    '1 the same from 1, 1',
    { removed: ['the amount is [100] now'], added: ['the amount is [250] now'] },
    '1 the same from 3, 3'
  ])
})

test('lines that are new shift the numbers of those behind them', () => {
  const { blocks } = textDiff('a\nb', 'a\nnew\nb')
  assert.equal(shown(blocks), ['1 the same from 1, 1', { removed: [], added: ['new'] }, '1 the same from 2, 3'])
})

test('lines with next to nothing in common have no marks', () => {
  const { blocks } = textDiff('completely different', 'nothing of it remains')
  assert.equal(shown(blocks), [{ removed: ['completely different'], added: ['nothing of it remains'] }])
})

test('an empty text has no lines', () => {
  assert.equal(shown(textDiff('', 'x').blocks), [{ removed: [], added: ['x'] }])
  assert.equal(shown(textDiff('x', 'x').blocks), ['1 the same from 1, 1'])
})

test('of a line of a megabyte what differs is shown, and how much is left out around it', () => {
  const long = 'lorem '.repeat(100_000)
  const { blocks } = textDiff(`${long}old${long}`, `${long}new${long}`)
  const [block] = shown(blocks)
  assert.ok(typeof block === 'object')
  assert.match(block.removed[0] ?? '', /^<599840>.*lorem \[old\]lorem .*<599840>$/)
})

test('of texts of many thousand lines that differ the first are compared, and what is left is counted', () => {
  const lines = (seed: number) => Array.from({ length: 40_000 }, (_, i) => `${(i * seed) % 1009} ${i}`).join('\n')
  const { blocks, left } = textDiff(lines(7919), lines(104_729))
  assert.equal(left, { from: 37_999, to: 37_999 })
  const removed = blocks.reduce((sum, block) => sum + (block.is === 'changed' ? block.removed.length : 0), 0)
  assert.ok(removed > 1000 && removed <= 2000)
})

test('a change in the middle of a text of any length is found at once', () => {
  const lines = Array.from({ length: 200_000 }, (_, i) => `line ${i}`)
  const { blocks, left } = textDiff(lines.join('\n'), lines.with(100_000, 'other').join('\n'))
  assert.equal(left, { from: 0, to: 0 })
  assert.equal(shown(blocks), [
    '100000 the same from 1, 1',
    { removed: ['line 100000'], added: ['other'] },
    '99999 the same from 100002, 100002'
  ])
})

test.run()
