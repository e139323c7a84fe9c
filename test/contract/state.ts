import * as assert from 'uvu/assert'
import { LIMITS } from '../../src/limits.js'
import { rejection } from '../log/faults.js'
import type { Contract } from './storage.js'

/** Texts by key beside the log. */
export function stateContract({ test, fresh, again }: Contract): void {
  test('a state is what was put last, for every process', async () => {
    const [one, other] = [(await fresh()).state, (await again()).state]
    assert.is(await one.get('a'), null)
    const first = await one.put('a', 'one', null)
    assert.ok(first)
    assert.equal(await other.get('a'), { key: 'a', text: 'one', mark: first })
    const second = await other.put('a', 'zwei: ü €\u{1f600}\n"', first)
    assert.ok(second && second !== first)
    assert.equal(await one.get('a'), { key: 'a', text: 'zwei: ü €\u{1f600}\n"', mark: second })
  })

  test('a state is put only over the one that is named', async () => {
    const { state } = await fresh()
    assert.is(await state.put('a', 'nothing to replace', 'some-mark'), null)
    assert.is(await state.get('a'), null, 'what was not there is not there afterwards')
    const first = await state.put('a', 'one', null)
    assert.is(await state.put('a', 'as if it were new', null), null)
    const second = await state.put('a', 'two', first)
    assert.is(await state.put('a', 'over what is gone', first), null)
    assert.equal(await state.get('a'), { key: 'a', text: 'two', mark: second })
  })

  test('of many who put a state over the same one, one does', async () => {
    const [one, other] = [(await fresh()).state, (await again()).state]
    const first = await one.put('a', 'begin', null)
    const tries = Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? one : other).put('a', `by ${i}`, first))
    const done = (await Promise.all(tries)).flatMap((mark, i) => (mark === null ? [] : [{ mark, text: `by ${i}` }]))
    assert.is(done.length, 1)
    assert.equal(await one.get('a'), { key: 'a', ...done[0] })
    const beginnings = Array.from({ length: 6 }, (_, i) => (i % 2 === 0 ? one : other).put('b', `by ${i}`, null))
    assert.is((await Promise.all(beginnings)).filter((mark) => mark !== null).length, 1)
  })

  test('states are listed by the beginning of their keys, a page at a time, in order', async () => {
    const { state } = await fresh()
    for (const key of ['b-2', 'a-9', 'b_1', 'b-10', 'b-1', 'c', 'b', 'b-/.']) await state.put(key, `of ${key}`, null)
    const keys = async (after: string, limit: number) => (await state.list('b-', after, limit)).map(({ key }) => key)
    assert.equal(await keys('', 100), ['b-/.', 'b-1', 'b-10', 'b-2'])
    assert.equal(await keys('', 2), ['b-/.', 'b-1'])
    assert.equal(await keys('b-1', 100), ['b-10', 'b-2'])
    assert.equal(await keys('b-2', 100), [])
    assert.equal((await state.list('b-', 'b-10', 1))[0]?.text, 'of b-2')
  })

  test('a state that is taken away is gone, and can begin anew', async () => {
    const { state } = await fresh()
    const mark = await state.put('a', 'one', null)
    await state.delete('a')
    await state.delete('a')
    assert.is(await state.get('a'), null)
    assert.is(await state.put('a', 'two', mark), null)
    assert.ok(await state.put('a', 'two', null))
  })

  test('a state as large as may be is kept, and a larger one, or what is no key, is refused', async () => {
    const { state } = await fresh()
    const most = 'x'.repeat(LIMITS.stateText.max)
    assert.ok(await state.put('a'.repeat(64), most, null))
    assert.is((await state.get('a'.repeat(64)))?.text, most)
    assert.instance(await rejection(state.put('b', `${most}x`, null)), RangeError)
    for (const key of ['', 'a'.repeat(65), 'a b', 'é', 'a~'])
      for (const wrong of [state.get(key), state.put(key, '', null), state.delete(key)])
        assert.instance(await rejection(wrong), RangeError)
  })
}
