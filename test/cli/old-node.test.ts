import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { suite } from '../support/suite.js'

const test = suite('the version of Node')
const MAIN = new URL('../../bin/hub.js', import.meta.url)

/** Runs `hub --version` on a Node that gives itself out for another version. */
function under(version: string) {
  const says = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
  const preload = `data:text/javascript,${encodeURIComponent(says)}`
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', preload, fileURLToPath(MAIN), '-V'], {
    encoding: 'utf8'
  })
  return { code: status, stdout, stderr }
}

for (const version of ['8.17.0', '20.18.3', '21.7.3', '22.12.0']) {
  test(`Node ${version} is told in one line which one is needed`, () => {
    const { code, stdout, stderr } = under(version)
    const told = `Collections Hub needs Node 20.19, or 22.13 or later; this is Node ${version} (${process.execPath}).\n`
    assert.equal({ code, stdout, stderr }, { code: 1, stdout: '', stderr: told })
  })
}

test('the least versions, and any after them, are taken', () => {
  const { engines, version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
  assert.is(engines.node, '^20.19 || >=22.13')
  for (const node of ['20.19.0', '22.13.0', '23.0.0', '26.0.0'])
    assert.equal(under(node), { code: 0, stdout: `${version}\n`, stderr: '' })
})

test('what is looked at before the version imports nothing', () => {
  const code = readFileSync(MAIN, 'utf8')
  assert.not.match(code, /^import\b(?!\()|^export .*from|await/m)
})

test.run()
