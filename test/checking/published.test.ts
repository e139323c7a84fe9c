import { readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import * as assert from 'uvu/assert'
import { suite } from '../support/suite.js'
import { parseHistory } from './history.js'
import { parseLog } from './log.js'
import { check } from './verdict.js'

const test = suite('histories of runs on engines that were made to fail')

// From dist/test/checking to the folder of the sources.
const FOLDER = new URL('../../../test/faults/histories/', import.meta.url)
const textOf = (name: string) => gunzipSync(readFileSync(new URL(name, FOLDER))).toString()

for (const file of readdirSync(FOLDER).filter((name) => name.endsWith('.history.jsonl.gz'))) {
  const name = file.slice(0, file.indexOf('.'))
  test(`${name}: nothing that was acknowledged is lost, stale or done twice`, () => {
    const verdict = check(parseHistory(textOf(file)), parseLog(textOf(`${name}.log.jsonl.gz`)))
    assert.equal(verdict.findings, [])
    assert.ok(verdict.acknowledged > 100, `${verdict.acknowledged} operations were acknowledged`)
  })
}

test.run()
