import { readFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { errorsPage } from '../../docs/errorsPage.js'
import { codeOf, errors } from '../../src/errors.js'
import { suite } from '../support/suite.js'

const test = suite('the page of errors')

test('it is what the catalogue says: npm run docs writes it', () => {
  // From dist/test/docs to the pages of the project.
  const page = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8')
  assert.is(page, errorsPage(errors))
})

test('a code is the name in the catalogue, and every refusal has its own', () => {
  assert.is(codeOf('bodyNotUtf8'), 'body-not-utf8')
  assert.is(errors.notFound('Collection').code, 'not-found')
  assert.is(errors.deletionLocked('collection').code, 'deletion-locked')
  const codes = Object.keys(errors).map(codeOf)
  assert.is(new Set(codes).size, codes.length)
})

test.run()
