import { readFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { limitsPage } from '../../docs/limitsPage.js'
import { LIMITS } from '../../src/limits.js'
import { suite } from '../support/suite.js'

const test = suite('the page of limits')

test('it is what the table says: npm run docs writes it', () => {
  // From dist/test/docs to the pages of the project.
  const page = readFileSync(new URL('../../../docs/limits.md', import.meta.url), 'utf8')
  assert.is(page, limitsPage(LIMITS))
})

test('a bound has its unit, in the largest one that leaves no rest', () => {
  const shown = (max: number, unit: 'bytes' | 'ms' | 'items' | 'bytes/s') =>
    limitsPage({ one: { max, unit, what: 'x' } })
      .split('\n')
      .at(-2)
  assert.is(shown(4096, 'bytes'), '| `one` | 4 KB | x |')
  assert.is(shown(8 * 1024 * 1024, 'bytes'), '| `one` | 8 MB | x |')
  assert.is(shown(1000, 'bytes'), '| `one` | 1,000 bytes | x |')
  assert.is(shown(300_000, 'ms'), '| `one` | 300 s | x |')
  assert.is(shown(250, 'ms'), '| `one` | 250 ms | x |')
  assert.is(shown(1024, 'bytes/s'), '| `one` | 1 KB a second | x |')
  assert.is(shown(100_000, 'items'), '| `one` | 100,000 items | x |')
})

test.run()
