import * as assert from 'uvu/assert'
import { addressOf, type Happening, momentAt, momentsOf } from '../../../clients/console/src/model/moments.js'
import { suite } from '../../support/suite.js'

const test = suite('moments of a collection')

const by = (name: string | null) => ({ id: 'u1', name })
let position = 100
const happening = (type: string, more: Partial<Happening> = {}): Happening => {
  position--
  return {
    position,
    at: new Date(position * 1000).toISOString(),
    type,
    kind: 'request',
    id: 'r1',
    name: 'Refund',
    actor: by('Mara'),
    commandId: String(position),
    ...more
  }
}
const told = (...happenings: readonly Happening[]) => momentsOf(happenings).map(({ who, what }) => `${who} ${what}`)

test('each says who did what to what', () => {
  assert.equal(told(happening('RequestUpdated')), ['Mara changed “Refund”'])
  assert.equal(told(happening('FolderCreated', { kind: 'folder', name: 'New' })), ['Mara created “New”'])
  assert.equal(told(happening('RequestDeleted', { name: null })), ['Mara deleted a request'])
  assert.equal(told(happening('ItemsReordered', { kind: 'collection' })), ['Mara changed an order'])
  assert.equal(told(happening('RequestMoved', { actor: by(null) })), ['Somebody moved “Refund”'])
})

test('what happened by one command is one moment', () => {
  const together = { commandId: 'c' }
  assert.equal(told(happening('RequestCreated', together), happening('RequestCreated', together)), [
    'Mara created 2 things'
  ])
  assert.equal(told(happening('RequestCreated', together), happening('ItemsReordered', together)), [
    'Mara changed 2 things'
  ])
  assert.equal(told(happening('SourceImported', together), happening('RequestCreated', together)), [
    'Mara imported a file'
  ])
})

test('who makes a record and puts it to its place at once has made it, and no more', () => {
  const [moved, made] = [happening('RequestMoved'), happening('RequestCreated')]
  const all = momentsOf([moved, made])
  assert.equal(
    all.map(({ what, position }) => [what, position]),
    [['created “Refund”', moved.position]]
  )
  const apart = ['Mara moved “Refund”', 'Mara created “Refund”']
  assert.equal(told(moved, { ...made, id: 'r2' }), apart)
  assert.equal(told(moved, { ...made, at: new Date(Date.parse(made.at) - 5000).toISOString() }), apart)
  assert.equal(told(moved, { ...made, actor: by('Tomás') })[1], 'Tomás created “Refund”')
})

test('a moment is found by its place in the log or by its time', () => {
  const all = momentsOf([happening('RequestUpdated'), happening('RequestUpdated'), happening('RequestUpdated')])
  const [newest, middle] = all
  assert.is(momentAt(all, String(newest?.position)), 0)
  assert.is(momentAt(all, middle?.at ?? ''), 1)
  assert.is(momentAt(all, '1'), -1)
})

test('an address names the time of a moment, and its place where others have the same time', () => {
  const at = '2026-03-09T10:15:00.000Z'
  const all = momentsOf([
    happening('RequestUpdated', { at }),
    happening('RequestMoved', { at }),
    happening('RequestMoved')
  ])
  assert.equal(
    [0, 1, 2].map((index) => addressOf(all, index)),
    [String(all[0]?.position), String(all[1]?.position), all[2]?.at]
  )
})

test.run()
