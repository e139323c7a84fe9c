import * as assert from 'uvu/assert'
import { pages } from '../../src/log/pages.js'
import { suite } from '../support/suite.js'

const test = suite('the pages of a log')

/** A log of so many positions that remembers what it was asked for. */
function logOf(length: number) {
  const asked: (readonly [after: number, limit: number])[] = []
  const read = async (after: number, limit: number) => {
    asked.push([after, limit])
    return Array.from({ length: Math.max(0, Math.min(limit, length - after)) }, (_, i) => after + i + 1)
  }
  return { asked, read }
}

async function all(of: AsyncIterable<readonly number[]>): Promise<readonly (readonly number[])[]> {
  const seen: (readonly number[])[] = []
  for await (const page of of) seen.push(page)
  return seen
}

test('hold every position once and in order, and nothing beyond the end that was asked for', async () => {
  assert.equal(await all(pages(logOf(100).read, 0, 7, 3)), [[1, 2, 3], [4, 5, 6], [7]])
  assert.equal(await all(pages(logOf(100).read, 5, 9, 2)), [
    [6, 7],
    [8, 9]
  ])
})

test('end where the log does', async () => {
  assert.equal(await all(pages(logOf(4).read, 0, 50, 3)), [[1, 2, 3], [4]])
  assert.equal(await all(pages(logOf(0).read, 0, 50, 3)), [])
})

test('where there is nothing to read nobody is asked', async () => {
  const { asked, read } = logOf(100)
  assert.equal(await all(pages(read, 7, 7, 3)), [])
  assert.equal(asked, [])
})

test('the next ones are on their way while one is worked on', async () => {
  const { asked, read } = logOf(100)
  for await (const page of pages(read, 0, 100, 10)) {
    assert.equal(page[0], 1)
    break
  }
  assert.ok(asked.length > 1, `asked for ${asked.length} pages`)
})

test('a page that cannot be read fails when its turn comes, and no other failure goes astray', async () => {
  const seen: number[] = []
  const read = async (after: number) => {
    if (after >= 2) throw new Error(`nothing above ${after}`)
    return [after + 1, after + 2]
  }
  let failure = ''
  try {
    for await (const page of pages(read, 0, 50, 2)) seen.push(...page)
  } catch (error) {
    failure = error instanceof Error ? error.message : ''
  }
  assert.equal([seen, failure], [[1, 2], 'nothing above 2'])
})

test.run()
