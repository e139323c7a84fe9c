import * as assert from 'uvu/assert'
import {
  contentOf,
  differentLines,
  type Kept,
  marksCounted,
  thenLines
} from '../../../clients/console/src/model/treeThen.js'
import { suite } from '../../support/suite.js'

const test = suite('a collection as it was')

const folder = (id: string, sortOrder: number, parentId: string | null = null): Kept => {
  return { kind: 'folder', id, name: id, parentId, sortOrder, content: id }
}
const request = (id: string, sortOrder: number, parentId: string | null = null, content = id): Kept => {
  return { kind: 'request', id, name: id, parentId, sortOrder, content }
}
const told = (then: readonly Kept[], now: readonly Kept[], folderId: string | null = null) =>
  thenLines(then, now, folderId).map(
    ({ member, level, marks }) => `${'  '.repeat(level - 1)}${[member.id, ...marks].join(' ')}`
  )

test('what was there stands in the order of then, with what is different now', () => {
  const then = [folder('f', 0), request('a', 0, 'f'), request('b', 1, 'f'), request('c', 0), request('d', 1)]
  const now = [folder('f', 0), request('a', 0, 'f', 'other'), request('d', 0), request('c', 1), request('e', 2)]
  assert.equal(told(then, now), ['f', '  a changed', '  b gone', 'c moved', 'd', 'e new'])
})

test('what came into another folder has moved, and others that made room for it have not', () => {
  const then = [folder('f', 0), request('a', 0), request('b', 1), request('c', 2)]
  const now = [folder('f', 0), request('a', 0, 'f'), request('b', 0), request('c', 1)]
  assert.equal(told(then, now), ['f', 'a moved', 'b', 'c'])
})

test('of many only the one that was moved is told', () => {
  const ids = ['a', 'b', 'c', 'd', 'e']
  const then = ids.map((id, index) => request(id, index))
  const now = ['e', 'a', 'b', 'c', 'd'].map((id, index) => request(id, index))
  assert.equal(told(then, now), ['a', 'b', 'c', 'd', 'e moved'])
})

test('what is new stands at the end of the folder that it is in now, with what it holds', () => {
  const then = [request('a', 0)]
  const now = [request('a', 1), request('x', 0), folder('n', 0), request('y', 0, 'n')]
  assert.equal(told(then, now), ['n new', '  y new', 'a', 'x new'])
})

test('a folder can be looked at by itself', () => {
  const then = [folder('f', 0), request('a', 0, 'f'), request('b', 0)]
  assert.equal(told(then, [], 'f'), ['a gone'])
})

test('only what is different can be shown, with the folders that lead to it', () => {
  const then = [folder('f', 0), folder('g', 0, 'f'), request('a', 0, 'g'), folder('h', 1), request('b', 0, 'h')]
  const now = [folder('f', 0), folder('g', 0, 'f'), folder('h', 1), request('b', 0, 'h')]
  const lines = thenLines(then, now)
  assert.equal(
    differentLines(lines).map(({ member }) => member.id),
    ['f', 'g', 'a']
  )
  assert.equal(marksCounted(lines), { new: 0, gone: 1, moved: 0, changed: 0 })
})

test('ids, times and places are no content', () => {
  const record = { id: '1', name: 'a', updatedAt: 'x', sortOrder: 1, headers: [{ key: 'b', value: 'c' }] }
  assert.is(contentOf(record), contentOf({ ...record, updatedAt: 'y', sortOrder: 7, folderId: 'f' }))
  assert.is.not(contentOf(record), contentOf({ ...record, headers: [] }))
})

test.run()
