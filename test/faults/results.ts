import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import type { Experiment, Ran } from './experiment.js'

// From dist/test/faults to the folder of the sources, and to the pages of the project.
const RESULTS = new URL('../../../test/faults/results.json', import.meta.url)
const PAGE = new URL('../../../docs/faults.md', import.meta.url)

const count = z.int().min(0)
const results = z.array(
  z.object({
    name: z.string(),
    dependency: z.string(),
    fault: z.string(),
    engine: z.string(),
    seed: z.int(),
    operations: count,
    faults: count,
    acknowledged: count,
    unavailable: count,
    /** Findings of the checker by their kind. */
    findings: z.record(z.string(), count),
    /** Acknowledged changes that the engine itself lost. */
    accepted: count.nullable(),
    recovery_ms: count.nullable(),
    longest_ms: count,
    unavailable_ms: count,
    told: z.array(z.string()),
    logged: z.array(z.string()),
    doctor: z.array(z.string())
  })
)
export type Result = Readonly<z.infer<typeof results>[number]>

/** What an experiment came to, as it is kept. */
export function resultOf({ name, dependency, fault }: Experiment, { engine, outcome }: Ran): Result {
  const { seed, faults, accepted, recovery_ms, longest_ms, unavailable_ms, told, logged, doctor, verdict } = outcome
  const { operations, acknowledged, unavailable, counts } = verdict
  const [seen, noted, failed] = [told, logged, doctor].map((texts) => [...new Set(texts.map(withoutOccasion))])
  return {
    ...{
      name,
      dependency,
      fault,
      engine,
      seed,
      operations,
      faults,
      acknowledged,
      unavailable,
      findings: counts,
      accepted
    },
    ...{ recovery_ms, longest_ms, unavailable_ms, told: seen ?? [], logged: noted ?? [], doctor: failed ?? [] }
  }
}

/** A text without the ports, positions and times of the one run that it is of. */
function withoutOccasion(text: string): string {
  return text
    .replaceAll(/127\.0\.0\.1:\d+/g, 'HOST:PORT')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/position \d+/g, 'position N')
    .replaceAll(/\/tmp\/[\w./-]+/g, 'PATH')
    .replaceAll(/in \d+ ms|after \d+ ms/g, 'in N ms')
}

export function readResults(): readonly Result[] {
  return existsSync(RESULTS) ? results.parse(JSON.parse(readFileSync(RESULTS, 'utf8'))) : []
}

/** Keeps new results in place of those that the same experiments had before, in the order of the experiments, and writes the page. */
export function writeResults(experiments: readonly Experiment[], ran: readonly Result[]): void {
  const known = new Map([...readResults(), ...ran].map((result) => [result.name, result]))
  const kept = experiments.flatMap(({ name }) => known.get(name) ?? [])
  writeFileSync(RESULTS, `${JSON.stringify(kept, null, 2)}\n`)
  writeFileSync(PAGE, faultsPage(kept))
}

/** docs/faults.md from the results. */
export function faultsPage(all: readonly Result[]): string {
  return `# Faults

What the hub depends on was made to fail under three hubs and 20 clients that make every kind of call, and a checker compared every answer
with the log that was left: nothing that was acknowledged is lost or done twice, nothing older than what was known is read, and no failure is other
than 503 with \`Retry-After\`. \`npm run test:faults\` does it again, and with \`-- --write\` writes this page; \`--seed\` and the name of an
experiment repeat one of them, and \`--kills\` says how often those kill that do it over and over. What the machine does not have is skipped, and
named.

"Back after" is what the slowest of the hubs took to acknowledge a change once the dependency served again, "longest" the longest that
anybody waited for an answer of a hub that ran, a step of a model included, "503 within" the longest until somebody was told so. All are
of one machine with two processors, which ran all of it.

${all.length === 0 ? 'There are no results yet.\n' : `${whatHappens(all)}\n## Runs\n\n${runs(all)}`}`
}

function whatHappens(all: readonly Result[]): string {
  return table(
    [
      'Dependency',
      'Fault',
      'What clients are told',
      'Back after',
      'Longest',
      '503 within',
      'The log of the hub',
      '`hub doctor`'
    ],
    all.map(({ dependency, fault, told, recovery_ms, longest_ms, unavailable_ms, logged, doctor }) => [
      ...[dependency, fault, listed(told), recovery_ms === null ? '' : `${recovery_ms} ms`, `${longest_ms} ms`],
      ...[unavailable_ms === 0 ? '' : `${unavailable_ms} ms`, listed(logged), listed(doctor)]
    ])
  )
}

function runs(all: readonly Result[]): string {
  return table(
    [
      'Experiment',
      'Engine',
      'Seed',
      'Operations',
      'Faults',
      'Acknowledged',
      'Lost',
      'Stale',
      'Twice',
      'Other findings',
      '503'
    ],
    all.map(({ name, engine, seed, operations, faults, acknowledged, findings, accepted, unavailable }) => {
      const { lost = 0, stale = 0, twice = 0, ...others } = findings
      const other = Object.values(others).reduce((sum, one) => sum + one, 0)
      const byEngine = accepted === null ? '' : `, by the engine ${accepted}`
      const numbers = [seed, operations, faults, acknowledged].map(String)
      return [name, engine, ...numbers, `${lost}${byEngine}`, `${stale}`, `${twice}`, `${other}`, `${unavailable}`]
    })
  )
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`
  return [titles, titles.map(() => '---'), ...rows].map(line).join('')
}

function listed(texts: readonly string[]): string {
  return texts.join('<br>')
}
