import * as assert from 'uvu/assert'
import { HubError } from '../../src/errors.js'
import { FilePlaces } from '../../src/http/filePlaces.js'
import { suite } from '../support/suite.js'

const test = suite('places for files')

/** Places with bounds, and what has begun in them, in its order; each goes on until it is ended by its name. */
function placesWith(importsOfOne: number, importsWaiting: number) {
  const bounds = {
    importThreads: { max: 2 },
    importsOfOne: { max: importsOfOne },
    importsWaiting: { max: importsWaiting }
  }
  const places = new FilePlaces(bounds)
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const held: Promise<unknown>[] = []
  return {
    begun,
    send: (...names: readonly string[]) => {
      for (const name of names) {
        const work = () => {
          begun.push(name)
          return new Promise<void>((end) => ends.set(name, end))
        }
        held.push(places.hold(name[0] ?? '', work).catch((error: unknown) => error))
      }
      return settled()
    },
    end: (name: string) => {
      ends.get(name)?.()
      return settled()
    },
    refused: async () => (await held.at(-1)) as unknown
  }
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

test('an account has one place at a time, and others have theirs beside it', async () => {
  const { begun, send, end } = placesWith(4, 10)
  await send('a1', 'a2', 'a3', 'b1', 'c1')
  assert.equal(begun, ['a1', 'b1'])
  await end('b1')
  assert.equal(begun, ['a1', 'b1', 'c1'])
  await end('c1')
  assert.equal(begun, ['a1', 'b1', 'c1'])
  await end('a1')
  assert.equal(begun, ['a1', 'b1', 'c1', 'a2'])
})

test('of those who wait each account has its turn, however much of it waits', async () => {
  const { begun, send, end } = placesWith(4, 10)
  await send('a1', 'b1', 'a2', 'a3', 'b2', 'b3', 'c1')
  assert.equal(begun, ['a1', 'b1'])
  await end('a1')
  await end('b1')
  await end('a2')
  assert.equal(begun, ['a1', 'b1', 'a2', 'b2', 'c1'])
  await end('b2')
  await end('c1')
  assert.equal(begun.slice(5), ['a3', 'b3'])
})

test('what an account has too much of is refused, and what is too much for all, and neither takes a place', async () => {
  const { begun, send, end, refused } = placesWith(2, 2)
  const refusal = async () => {
    const error = await refused()
    return error instanceof HubError ? [error.status, Number(error.headers['retry-after']) > 0] : error
  }
  await send('a1', 'a2', 'a3')
  assert.equal(await refusal(), [429, true])
  await send('b1', 'c1', 'd1')
  assert.equal(await refusal(), [503, true])
  for (const name of ['a1', 'a2', 'b1', 'c1']) await end(name)
  await send('a4', 'd2')
  assert.equal(begun, ['a1', 'b1', 'a2', 'c1', 'a4', 'd2'])
})

test('a place is free again when its work fails', async () => {
  const places = new FilePlaces()
  const failing = () => places.hold('a', () => Promise.reject(new Error('No.')))
  for (let i = 0; i < 5; i++) assert.is(String(await failing().catch((error: unknown) => error)), 'Error: No.')
  assert.is(await places.hold('a', async () => 1), 1)
})

test.run()
