import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Results } from './report.js'

/** How much of the committed share may be lost before a run fails. */
const LOST_MAX = 1 / 3

const committed = z.record(z.string(), z.record(z.string(), z.number().positive()))

/** By driver and row, the bare server's processor time for a request as a share of the hub's. */
export type Ratios = z.infer<typeof committed>

/** What was measured. */
export function ratiosOf(results: readonly Results[]): Ratios {
  return Object.fromEntries(
    results.map(({ driver, rows }) => [
      driver,
      Object.fromEntries(rows.map(({ name, hub, bare }) => [name, Number((bare.cpu_us / hub.cpu_us).toFixed(3))]))
    ])
  )
}

/** Reads a file of ratios. Throws for what is none. */
export function readRatios(file: string): Ratios {
  return committed.parse(JSON.parse(readFileSync(file, 'utf8')))
}

/** A row that takes far more than when its figure was written down. */
export interface Fallen {
  readonly driver: string
  readonly row: string
  readonly was: number
  readonly is: number
}

/** The rows whose ratio has fallen by more than a third. */
export function fallen(now: Ratios, before: Ratios): readonly Fallen[] {
  return Object.entries(now).flatMap(([driver, rows]) =>
    Object.entries(rows).flatMap(([row, is]) => {
      const was = before[driver]?.[row]
      return was !== undefined && is < was * (1 - LOST_MAX) ? [{ driver, row, was, is }] : []
    })
  )
}
