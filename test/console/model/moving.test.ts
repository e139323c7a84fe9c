import * as assert from 'uvu/assert'
import {
  dropOver,
  fits,
  moved,
  positionOf,
  type Step,
  stepFrom,
  type Under
} from '../../../clients/console/src/model/moving.js'
import { type Member, type Outline, outlineOf } from '../../../clients/console/src/model/outline.js'
import { suite } from '../../support/suite.js'

const test = suite('moving in the tree')

const member = (kind: Member['kind'], id: string, parentId: string | null, sortOrder: number): Member => ({
  ...{ kind, id, parentId, sortOrder },
  name: id
})

/** Two folders and three items at the root; a folder and two items in the first folder. */
const outline = outlineOf([
  member('folder', 'A', null, 0),
  member('folder', 'B', null, 1),
  member('folder', 'AA', 'A', 0),
  member('request', 'r0', null, 0),
  member('document', 'd1', null, 1),
  member('request', 'r2', null, 2),
  member('request', 'a0', 'A', 0),
  member('request', 'a1', 'A', 1)
])

const inside = (what: Outline, parentId: string | null) => (what.inside.get(parentId) ?? []).map(({ id }) => id)
const after = (id: string, step: Step) => {
  const to = stepFrom(outline, id, step)
  return to && inside(moved(outline, id, to), to.parentId)
}

test('a member stands where it was put, and its siblings close up', () => {
  const next = moved(outline, 'r0', { parentId: null, index: 2 })
  assert.equal(inside(next, null), ['A', 'B', 'd1', 'r2', 'r0'])
  assert.equal(positionOf(next, 'r0'), { parentId: null, index: 2 })
  assert.equal(inside(moved(outline, 'a1', { parentId: 'B', index: 0 }), 'B'), ['a1'])
})

test('requests and documents share a sequence; folders have their own', () => {
  assert.equal(positionOf(outline, 'd1'), { parentId: null, index: 1 })
  assert.equal(positionOf(outline, 'B'), { parentId: null, index: 1 })
})

test('no folder goes into itself or into what is in it', () => {
  assert.equal(
    ['A', 'AA', 'B', null].map((parentId) => fits(outline, 'A', parentId)),
    [false, false, true, true]
  )
  assert.is(moved(outline, 'A', { parentId: 'AA', index: 0 }), outline)
  assert.not(fits(outline, 'r0', 'a0'))
})

test('a member that is gone moves nowhere', () => {
  assert.is(moved(outline, 'x', { parentId: null, index: 0 }), outline)
  assert.is(stepFrom(outline, 'x', 'up'), null)
})

test('steps lead among siblings, and end at both ends', () => {
  assert.equal(after('d1', 'up'), ['A', 'B', 'd1', 'r0', 'r2'])
  assert.equal(after('d1', 'down'), ['A', 'B', 'r0', 'r2', 'd1'])
  assert.is(after('r0', 'up'), null)
  assert.is(after('r2', 'down'), null)
  assert.equal(after('B', 'up'), ['B', 'A', 'r0', 'd1', 'r2'])
})

test('a step in leads to the end of the folder above, a step out to beside it', () => {
  assert.equal(after('r2', 'in'), ['r2'])
  assert.equal(stepFrom(outline, 'r2', 'in'), { parentId: 'B', index: 0 })
  assert.equal(after('B', 'in'), ['AA', 'B', 'a0', 'a1'])
  assert.is(after('A', 'in'), null)
  assert.equal(after('AA', 'out'), ['A', 'AA', 'B', 'r0', 'd1', 'r2'])
  assert.equal(after('a1', 'out'), ['A', 'B', 'a1', 'r0', 'd1', 'r2'])
  assert.is(after('r0', 'out'), null)
})

const over = (id: string, part: number, isOpen = false): Under => ({ id, part, isOpen })
const drop = (id: string, under: Under) => {
  const found = dropOver(outline, 'c', id, under)
  return found && [found.mark.kind, found.mark.id, inside(moved(outline, id, found.to), found.to.parentId).join(' ')]
}

test('an item is dropped before or behind another one, or into a folder', () => {
  assert.equal(drop('r0', over('r2', 0.2)), ['before', 'r2', 'A B d1 r0 r2'])
  assert.equal(drop('r0', over('r2', 0.8)), ['after', 'r2', 'A B d1 r2 r0'])
  assert.equal(drop('r2', over('r0', 0.2)), ['before', 'r0', 'A B r2 r0 d1'])
  assert.equal(drop('r2', over('a0', 0.8)), ['after', 'a0', 'AA a0 r2 a1'])
  assert.equal(drop('r2', over('A', 0.1)), ['into', 'A', 'AA a0 a1 r2'])
  assert.equal(drop('a0', over('c', 0.5)), ['into', 'c', 'A B r0 d1 r2 a0'])
})

test('a folder is dropped beside a folder, into it, or into what an item stands in', () => {
  assert.equal(drop('B', over('A', 0.1)), ['before', 'A', 'B A r0 d1 r2'])
  assert.equal(drop('A', over('B', 0.9)), ['after', 'B', 'B A r0 d1 r2'])
  assert.equal(drop('B', over('A', 0.5)), ['into', 'A', 'AA B a0 a1'])
  assert.equal(drop('B', over('A', 0.9, true)), ['into', 'A', 'B AA a0 a1'])
  assert.equal(drop('AA', over('d1', 0.5)), ['into', 'c', 'A B AA r0 d1 r2'])
})

test('nothing is dropped on itself, and no folder into itself', () => {
  assert.is(drop('r0', over('r0', 0.5)), null)
  assert.is(drop('A', over('A', 0.5)), null)
  assert.is(drop('A', over('AA', 0.5)), null)
  assert.is(drop('A', over('a0', 0.5)), null)
})

test.run()
