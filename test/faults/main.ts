import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect, parseArgs } from 'node:util'
import { Missing } from '../engines/engine.js'
import { collecting } from '../support/afterwards.js'
import type { Body } from '../support/attempt.js'
import type { Experiment, Ran } from './experiment.js'
import { firestoreExperiments } from './firestore.js'
import { killExperiments } from './kills.js'
import { lineOf } from './line.js'
import { meanwhileExperiments } from './meanwhile.js'
import { pooledExperiments } from './pooled.js'
import { replicatedExperiments } from './replicated.js'
import { resultOf, writeResults } from './results.js'
import { singleExperiments } from './single.js'
import { sqliteExperiments } from './sqlite.js'
import { throttleExperiments } from './throttles.js'
import { upgradeExperiments } from './upgrade.js'

// node dist/test/faults/main.js [part of a name ...] [--seed N] [--kills N] [--histories DIRECTORY] [--write] [--list]: the
// experiments with faults, one after the other, with a line for each. --kills is how often those kill that do it over and over.
// --write keeps the results of those without findings, and writes docs/faults.md from them.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    kills: { type: 'string', default: '20' },
    histories: { type: 'string' },
    list: { type: 'boolean' },
    write: { type: 'boolean' }
  }
})
const experiments: readonly Experiment[] = [
  ...singleExperiments,
  ...replicatedExperiments,
  ...pooledExperiments,
  ...throttleExperiments,
  ...sqliteExperiments,
  ...firestoreExperiments,
  ...killExperiments,
  ...meanwhileExperiments,
  ...upgradeExperiments
]
const chosen = experiments.filter(
  ({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part))
)
const seed = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed)

const SHOWN_MAX = 20

/** What is to be done after the experiment that runs. */
let after: Body[] = []
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await cleanedUp()
    process.exit(1)
  })
}

const totals = { passed: 0, failed: 0, skipped: 0 }
for (const experiment of chosen) {
  if (values.list) process.stdout.write(`${experiment.name}: ${experiment.dependency}, ${experiment.fault}\n`)
  else totals[await carriedOut(experiment)]++
}
process.stdout.write(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped\n`)
process.exit(totals.failed > 0 ? 1 : 0)

async function carriedOut(experiment: Experiment): Promise<keyof typeof totals> {
  after = []
  try {
    const ran = await collecting(after, () => experiment.run(seed, Number(values.kills)))
    process.stdout.write(`${lineOf(experiment, ran)}\n`)
    if (values.histories !== undefined) await keep(values.histories, experiment, ran)
    if (!isGood(experiment, ran)) return 'failed'
    if (values.write) writeResults(experiments, [resultOf(experiment, ran)])
    return 'passed'
  } catch (error) {
    if (error instanceof Missing) {
      process.stdout.write(`${experiment.name}: skipped (${error.message})\n`)
      return 'skipped'
    }
    process.stdout.write(`${experiment.name}: FAILED, seed ${seed}: ${inspect(error)}\n`)
    return 'failed'
  } finally {
    await cleanedUp()
  }
}

async function cleanedUp(): Promise<void> {
  for (const body of after.splice(0))
    await Promise.resolve(body()).catch((error: unknown) => process.stderr.write(`${inspect(error)}\n`))
}

function isGood({ name, mayLose = false }: Experiment, { outcome }: Ran): boolean {
  const { verdict, unverified, accepted } = outcome
  const wrong = [...verdict.findings.map(({ kind, text }) => `${kind}: ${text}`), ...unverified]
  if (accepted !== null && !mayLose) wrong.push(`lost: ${accepted} acknowledged changes had to be accepted as lost`)
  for (const text of wrong.slice(0, SHOWN_MAX)) process.stdout.write(`  ${name}: ${text}\n`)
  return wrong.length === 0
}

/** Keeps history and log as lines of JSON. */
async function keep(directory: string, { name }: Experiment, { outcome }: Ran): Promise<void> {
  await mkdir(directory, { recursive: true })
  await writeFile(join(directory, `${name}.history.jsonl`), outcome.history)
  await writeFile(join(directory, `${name}.log.jsonl`), outcome.log)
}
