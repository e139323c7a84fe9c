import * as assert from 'uvu/assert'
import { isBack, recordsCounted } from '../../../clients/console/src/model/importing.js'
import { suite } from '../../support/suite.js'

const test = suite('deleted things in words')

test('what went with a deletion is counted by kind', () => {
  assert.is(recordsCounted({ folder: 2, request: 1200, document: 1 }), '2 folders, 1,200 requests, and 1 document')
  assert.is(recordsCounted({ folder: 0 }), '')
})

test('what is back is named, with what came along', () => {
  assert.is(isBack('request', 'Refund', { request: 1 }), '“Refund” is back.')
  assert.is(isBack('folder', 'Old', { folder: 3, request: 2 }), '“Old” is back, with 2 folders and 2 requests.')
})

test.run()
