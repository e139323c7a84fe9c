import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { historyText } from '../checking/history.js'
import { logText } from '../checking/log.js'
import { replaceBuiltins } from './builtins.js'
import { DEFECTS } from './defects.js'
import { type Run, run, sceneOfRuns } from './run.js'
import { countsText, Totals } from './totals.js'

// node dist/test/simulate/main.js: what its options are, CONTRIBUTING.md says.

/** Mostly few, so that clients meet at one. */
const HUBS = [2, 2, 3, 3, 4, 5] as const
const TOLD_FINDINGS = 3

const count = z.coerce.number().int().min(1)
const options = z.object({
  seed: count.default(1),
  seeds: count.default(1),
  /** Unless told otherwise two to five, by the seed. */
  hubs: count.optional(),
  operations: count.default(25),
  trace: z.boolean().default(false),
  history: z.string().optional(),
  defect: z.enum(Object.keys(DEFECTS)).optional()
})
const text = { type: 'string' } as const
const { values } = parseArgs({
  options: {
    seed: text,
    seeds: text,
    hubs: text,
    operations: text,
    trace: { type: 'boolean' },
    history: text,
    defect: text
  }
})
const { seed: first, seeds, hubs, operations, trace, history, defect } = options.parse(values)

const write = (text: string) => void process.stdout.write(`${text}\n`)
const hubsOf = (seed: number) => hubs ?? HUBS[seed % HUBS.length] ?? HUBS[0]

/** What is wrong, and how to see it again. */
function failureText(seed: number, { verdict }: Run): string {
  const withDefect = defect === undefined ? '' : ` --defect ${defect}`
  const again = `npm run simulate -- --seed ${seed} --hubs ${hubsOf(seed)} --operations ${operations}${withDefect} --trace`
  const found = verdict.findings.slice(0, TOLD_FINDINGS).map(({ kind, text }) => `${kind}: ${text}`)
  return `seed ${seed} failed: ${verdict.findings.length} findings. ${found.join(' ')} Again with: ${again}`
}

replaceBuiltins()
const scene = await sceneOfRuns()
const totals = new Totals()
const begun = process.hrtime.bigint()
const planted = defect === undefined ? undefined : DEFECTS[defect]
for (let seed = first; seed < first + seeds; seed++) {
  const digest = createHash('sha256')
  const tell = (line: string) => {
    digest.update(`${line}\n`)
    write(line)
  }
  const how = { scene, seed, hubs: hubsOf(seed), operations, defect: planted }
  const done = await run(trace ? { ...how, trace: tell } : how)
  totals.add(done)
  if (done.verdict.findings.length > 0) write(failureText(seed, done))
  if (history !== undefined) {
    writeFileSync(history, historyText(done.history))
    writeFileSync(`${history}.log`, logText(done.log))
  }
  if (trace) {
    const all = digest.update(historyText(done.history)).update(logText(done.log)).digest('hex')
    write(`seed ${seed}: ${countsText(done.faults.counts)}; sha256 of steps, history and log ${all}`)
  }
  if (planted && done.verdict.findings.some(({ kind }) => kind === planted.finds)) break
}
const took_s = Number(process.hrtime.bigint() - begun) / 1e9
write(`${totals.text}; ${Math.round(took_s)} s`)
process.exitCode = totals.failed > 0 ? 1 : 0
