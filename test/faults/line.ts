import type { Experiment, Ran } from './experiment.js'

/** An experiment in one line. */
export function lineOf({ name, fault }: Experiment, { engine, outcome }: Ran): string {
  const { seed, faults, verdict, recovery_ms, longest_ms, unavailable_ms, accepted } = outcome
  const { operations, acknowledged, unknown, unavailable, counts } = verdict
  const { lost, stale, twice, failure, ...others } = counts
  const further = Object.entries(others).filter(([, count]) => count > 0)
  return [
    `${name}: ${engine}; ${fault}`,
    `seed ${seed}, ${operations} operations, ${faults} faults, acknowledged ${acknowledged}, unknown ${unknown}, 503 ${unavailable}`,
    `lost ${lost}, stale ${stale}, twice ${twice}, other 5xx ${failure}${further.map(([kind, count]) => `, ${kind} ${count}`).join('')}`,
    ...(accepted === null ? [] : [`lost by the engine and accepted ${accepted}`]),
    `recovered in ${recovery_ms ?? '-'} ms, longest answer ${longest_ms} ms, 503 within ${unavailable_ms} ms`
  ].join('; ')
}
