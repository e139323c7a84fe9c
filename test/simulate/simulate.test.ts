import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { suite } from '../support/suite.js'
import { DEFECTS } from './defects.js'

const test = suite('simulated runs')

const program = fileURLToPath(new URL('main.js', import.meta.url))
const HALF = 500
/** A defect is found in one of so many runs. */
const FOUND_WITHIN = 200
const OUTPUT_MAX = 100 * 1024 * 1024

/** What a run of the program prints, and whether it found something. */
function simulate(...options: readonly string[]): Promise<{ readonly printed: string; readonly isFailed: boolean }> {
  return new Promise((resolve) => {
    const args = ['--stack-trace-limit=0', program, ...options]
    execFile(process.execPath, args, { maxBuffer: OUTPUT_MAX }, (error, stdout, stderr) =>
      resolve({ printed: stdout + stderr, isFailed: error !== null })
    )
  })
}

test(
  'in a thousand runs in which things go wrong nothing is lost, stale or done twice',
  async () => {
    const half = (seed: number) => simulate('--seed', String(seed), '--seeds', String(HALF))
    for (const { printed, isFailed } of await Promise.all([half(1), half(1 + HALF)])) assert.not.ok(isFailed, printed)
  },
  { timeout_ms: 180_000 }
)

test('a seed makes the same run to the byte, alone and behind another one', async () => {
  const [alone, again, behind] = await Promise.all([
    simulate('--seed', '7', '--hubs', '3', '--trace'),
    simulate('--seed', '7', '--hubs', '3', '--trace'),
    simulate('--seed', '6', '--seeds', '2', '--hubs', '3', '--trace')
  ])
  const digest = ({ printed }: { readonly printed: string }) => /^seed 7: .*sha256 .*$/m.exec(printed)?.[0]
  assert.ok(digest(alone))
  assert.is(again.printed.replace(/\d+ s$/m, ''), alone.printed.replace(/\d+ s$/m, ''))
  assert.is(digest(behind), digest(alone))
})

for (const [defect, { finds }] of Object.entries(DEFECTS)) {
  test(`the planted defect ${defect} is found`, async () => {
    const { printed } = await simulate('--defect', defect, '--seeds', String(FOUND_WITHIN))
    assert.match(printed, new RegExp(`^seed \\d+ failed: .*\\b${finds}: `, 'm'))
  })
}

test.run()
