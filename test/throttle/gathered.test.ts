import * as assert from 'uvu/assert'
import { gathered } from '../../src/throttle/gathered.js'
import { suite } from '../support/suite.js'

const test = suite('lookups that share a round trip')

test('those of one turn go together, and each gets the answers to its own keys', async () => {
  const trips: (readonly string[])[] = []
  const lookUp = gathered(async (keys) => {
    trips.push([...keys])
    return keys.map((key) => key.toUpperCase())
  })
  assert.equal(await Promise.all([lookUp(['a', 'b']), lookUp(['c'])]), [['A', 'B'], ['C']])
  assert.equal(await lookUp(['d']), ['D'])
  assert.equal(trips, [['a', 'b', 'c'], ['d']])
})

test('one that comes while a trip hangs does not wait for it, and a failure is that of its trip alone', async () => {
  let fail = (_: Error) => {}
  const lookUp = gathered((keys) =>
    keys.includes('hangs')
      ? new Promise<readonly string[]>((_, reject) => {
          fail = reject
        })
      : Promise.resolve(keys)
  )
  const hanging = lookUp(['hangs']).then(
    () => 'answered',
    (error: Error) => error.message
  )
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(await lookUp(['a']), ['a'])
  fail(new Error('gone'))
  assert.is(await hanging, 'gone')
})

test.run()
