import { parseArgs } from 'node:util'
import { type Benchmark, type BenchOptions, DRIVERS, type Driver } from './benchmark.js'

/** The arguments do not say what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export type ParsedOptions = Omit<BenchOptions, 'signal' | 'print' | 'progress'>

/** `name` is the benchmark asked for, undefined for the default one; null where help was asked for instead. */
export function parseOptions(args: readonly string[]): { name: string | undefined; options: ParsedOptions } | null {
  const { values, positionals } = parsed(args)
  if (values.help) return null
  const [name, ...others] = positionals
  if (others.length > 0) throw new UsageError(`One benchmark at a time: what is "${others.join(' ')}"?`)
  const options = {
    drivers: values.driver === undefined ? null : driversOf(values.driver),
    seconds: positive('--seconds', values.seconds, 3),
    rounds: positive('--rounds', values.rounds, 3),
    connections: positive('--connections', values.connections, 16),
    scale: positive('--scale', values.scale, 0.1),
    only: values.only ?? [],
    json: values.json ?? false,
    profile: values.profile,
    check: values.check
  }
  if (!Number.isInteger(options.rounds)) throw new UsageError('--rounds must be a whole number.')
  if (!Number.isInteger(options.connections)) throw new UsageError('--connections must be a whole number.')
  return { name, options }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        driver: { type: 'string' },
        seconds: { type: 'string' },
        rounds: { type: 'string' },
        connections: { type: 'string' },
        scale: { type: 'string' },
        only: { type: 'string', multiple: true },
        json: { type: 'boolean' },
        profile: { type: 'string' },
        check: { type: 'string' },
        help: { type: 'boolean' }
      }
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function driversOf(wanted: string): readonly Driver[] {
  if (wanted === 'all') return DRIVERS
  const driver = DRIVERS.find((one) => one === wanted)
  if (driver === undefined) throw new UsageError(`--driver must be ${DRIVERS.join(', ')} or all.`)
  return [driver]
}

function positive(option: string, text: string | undefined, byDefault: number): number {
  const value = text === undefined ? byDefault : Number(text)
  if (!(value > 0 && value < Number.POSITIVE_INFINITY)) throw new UsageError(`${option} must be a number above 0.`)
  return value
}

/** What of this is to be measured; all of it where nothing is named. Throws `UsageError` for a name that there is not. */
export function chosenOf<T extends { readonly name: string }>(
  all: readonly T[],
  only: readonly string[]
): readonly T[] {
  const names = all.map(({ name }) => name)
  const unknown = only.filter((name) => !names.includes(name))
  if (unknown.length > 0) throw new UsageError(`No row "${unknown.join('", "')}"; there are ${names.join(', ')}.`)
  return all.filter(({ name }) => only.length === 0 || only.includes(name))
}

/** What there is to run and with which options. */
export function usage(benchmarks: readonly Benchmark[]): string {
  const names = benchmarks.map(({ name, summary }) => `  ${name.padEnd(22)}${summary}\n`).join('')
  return `npm run bench -- [benchmark] [options]

"check" fails where a request takes over a third more than bench/ratios.json says. Benchmarks, the first being the default:
${names}
Options:
  --driver <driver>     ${DRIVERS.join(', ')} or all; by default postgres where there is one, else sqlite
  --seconds <n>         how long one round measures one side (3)
  --rounds <n>          how often the sides take turns (3)
  --connections <n>     how many requests are on their way at a time (16)
  --scale <n>           how much is there that is measured on, 1 being the full size (0.1)
  --only <row>          measure this row alone; may be repeated
  --json                print one JSON document instead of tables
  --check <file>        fail where a request takes over a third more than this file of ratios says; of the default benchmark
  --profile <directory> leave a CPU profile of each process measured there
`
}
