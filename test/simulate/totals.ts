import type { Run } from './run.js'

type Counts = Readonly<Record<string, number>>

/** What many runs come to. */
export class Totals {
  readonly #counts: Record<string, number> = {}
  readonly #findings: Record<string, number> = {}
  readonly #faults: Record<string, number> = {}
  failed = 0
  #seeds = 0

  add({ verdict, faults, steps }: Run): void {
    const { counts, findings, ...numbers } = verdict
    this.#seeds++
    if (findings.length > 0) this.failed++
    addTo(this.#counts, { ...numbers, steps })
    addTo(this.#findings, counts)
    addTo(this.#faults, faults.counts)
  }

  /** Everything in one line. */
  get text(): string {
    const parts = [`${this.#seeds} seeds`, countsText(this.#counts), `faults: ${countsText(this.#faults)}`]
    return [...parts, `found: ${countsText(this.#findings)}`, `${this.failed} seeds failed`].join('; ')
  }
}

function addTo(sums: Record<string, number>, counts: Counts): void {
  for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count
}

/** Counts with their names. */
export function countsText(counts: Counts): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')
}
