import * as assert from 'uvu/assert'
import { freePort } from './private-server.js'
import { suite } from './suite.js'

const test = suite('test ports')

// Drawn alone, four of as many would be given twice.
const DRAWN = 330

test('no two tests are given the same port', async () => {
  const ports: number[] = []
  for (let drawn = 0; drawn < DRAWN; drawn++) ports.push(await freePort())
  assert.is(new Set(ports).size, DRAWN)
})

test.run()
