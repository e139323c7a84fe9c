import { inspect } from 'node:util'
import { Missing } from '../engines/engine.js'
import { collecting } from '../support/afterwards.js'
import type { Body } from '../support/attempt.js'
import { checks } from './checks.js'
import { aSetting, type Setting } from './setting.js'

// node dist/test/providers/main.js: signs people in, in a browser, with a provider that others have written, and says of each
// check what became of it.

/** What is to be done in the end, and after the check that runs. */
const inTheEnd: Body[] = []
const after: Body[] = []
let isInterrupted = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    isInterrupted = true
    await cleanedUp()
    process.exit(1)
  })
}

const totals = { passed: 0, failed: 0, skipped: 0 }
try {
  const setting = await collecting(inTheEnd, aSetting)
  for (const check of checks) totals[await carriedOut(check, setting)]++
} catch (error) {
  const missing = error instanceof Missing
  totals[missing ? 'skipped' : 'failed']++
  process.stdout.write(missing ? `skipped glewlwyd: ${error.message}\n` : `FAILED to start: ${inspect(error)}\n`)
} finally {
  await cleanedUp()
}
process.stdout.write(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped\n`)
process.exit(totals.failed > 0 ? 1 : 0)

async function carriedOut({ title, run }: (typeof checks)[number], setting: Setting): Promise<'passed' | 'failed'> {
  try {
    await collecting(after, async () => run(setting))
    process.stdout.write(`ok ${setting.name}: ${title}\n`)
    return 'passed'
  } catch (error) {
    // What it ran with is being taken away: nothing follows from that, nor for any other.
    if (isInterrupted) return new Promise(() => {})
    process.stdout.write(`FAILED ${setting.name}: ${title}: ${inspect(error)}\n`)
    return 'failed'
  } finally {
    await done(after)
  }
}

async function cleanedUp(): Promise<void> {
  for (const bodies of [after, inTheEnd]) await done(bodies)
}

async function done(bodies: Body[]): Promise<void> {
  for (const body of bodies.splice(0))
    await Promise.resolve(body()).catch((error: unknown) => process.stderr.write(`${inspect(error)}\n`))
}
