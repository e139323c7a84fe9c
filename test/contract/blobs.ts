import { randomBytes } from 'node:crypto'
import * as assert from 'uvu/assert'
import { LIMITS } from '../../src/limits.js'
import { rejection } from '../log/faults.js'
import type { Contract } from './storage.js'

const keyOf = (digit: string) => digit.repeat(64)

/** Bytes by their sha256 beside the log. */
export function blobContract({ test, fresh, again }: Pick<Contract, 'test' | 'fresh' | 'again'>): void {
  test('a blob is there, byte for byte, for every process', async () => {
    const [one, other] = [(await fresh()).blobs, (await again()).blobs]
    assert.is(await one.get(keyOf('a')), null)
    const every = Buffer.from(Array.from({ length: 512 }, (_, i) => i % 256))
    await one.put(keyOf('a'), every)
    await one.put(keyOf('b'), Buffer.alloc(0))
    assert.equal(await other.get(keyOf('a')), every)
    assert.equal(await other.get(keyOf('b')), Buffer.alloc(0))
  })

  test('a blob can be put again, also by many at once', async () => {
    const [one, other] = [(await fresh()).blobs, (await again()).blobs]
    const bytes = randomBytes(1000)
    await Promise.all(Array.from({ length: 8 }, (_, i) => (i % 2 === 0 ? one : other).put(keyOf('a'), bytes)))
    assert.equal(await one.get(keyOf('a')), bytes)
  })

  test('the keys of blobs are listed in order, a page at a time', async () => {
    const { blobs } = await fresh()
    assert.equal(await blobs.list('', 10), [])
    for (const digit of ['c', '1', 'a', 'b']) await blobs.put(keyOf(digit), Buffer.from(digit))
    assert.equal(await blobs.list('', 10), [keyOf('1'), keyOf('a'), keyOf('b'), keyOf('c')])
    assert.equal(await blobs.list('', 2), [keyOf('1'), keyOf('a')])
    assert.equal(await blobs.list(keyOf('a'), 10), [keyOf('b'), keyOf('c')])
    assert.equal(await blobs.list(keyOf('c'), 10), [])
  })

  test('a blob that is deleted is gone, and can be put anew', async () => {
    const { blobs } = await fresh()
    await blobs.put(keyOf('a'), Buffer.from('one'))
    await blobs.delete(keyOf('a'))
    await blobs.delete(keyOf('a'))
    assert.is(await blobs.get(keyOf('a')), null)
    await blobs.put(keyOf('a'), Buffer.from('one'))
    assert.equal(await blobs.get(keyOf('a')), Buffer.from('one'))
  })

  test('a blob as large as may be is kept, and a larger one, or what is no key, is refused', async () => {
    const { blobs } = await fresh()
    const most = randomBytes(LIMITS.blob.max)
    await blobs.put(keyOf('f'), most)
    assert.equal(await blobs.get(keyOf('f')), most)
    assert.instance(await rejection(blobs.put(keyOf('e'), Buffer.alloc(LIMITS.blob.max + 1))), RangeError)
    for (const key of ['', 'a', keyOf('A'), `${keyOf('a')}a`])
      for (const wrong of [blobs.get(key), blobs.put(key, Buffer.from('x')), blobs.delete(key)])
        assert.instance(await rejection(wrong), RangeError)
  })
}
