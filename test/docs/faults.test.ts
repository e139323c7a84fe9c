import { readFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { faultsPage, readResults } from '../faults/results.js'
import { suite } from '../support/suite.js'

const test = suite('the page of faults')

test('it is what the runs came to that are kept: npm run test:faults -- --write writes it', () => {
  // From dist/test/docs to the pages of the project.
  const page = readFileSync(new URL('../../../docs/faults.md', import.meta.url), 'utf8')
  assert.is(page, faultsPage(readResults()))
})

test('no run that is kept has a finding', () => {
  for (const { name, findings } of readResults())
    assert.equal(
      Object.entries(findings).filter(([, count]) => count > 0),
      [],
      name
    )
})

test.run()
