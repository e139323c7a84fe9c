import { readFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { accessPage } from '../../docs/accessPage.js'
import { servedRoutes } from '../../docs/openApi.js'
import { accessTo } from '../../src/http/access.js'
import { suite } from '../support/suite.js'

const test = suite('the page of who may do what')
const page = readFileSync(new URL('../../../docs/access.md', import.meta.url), 'utf8')

test('is the one that the routes make', async () => {
  assert.is(page, accessPage(await servedRoutes()))
})

test('what is not in the table of access does not start', () => {
  assert.throws(() => accessTo('openEveryDoor'), 'openEveryDoor is not in the table of access (src/http/access.ts).')
})

test.run()
