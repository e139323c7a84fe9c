import type { Env } from '../../src/config/interpolate.js'
import { UsageError } from './errors.js'

/** The global options of a run, and the arguments without them. */
export interface Globals {
  /** As given, so that messages name it the way the person did. */
  readonly configPath: string
  /** What has named the configuration file. */
  readonly configFrom: 'option' | 'variable' | 'default'
  /** True where variables of the environment are to set no keys. */
  readonly noEnv: boolean
  readonly verbose: boolean
  /** What is asked for instead of a command. */
  readonly instead: 'version' | 'help' | null
  readonly rest: string[]
}

const DEFAULT_CONFIG_PATH = 'server.yaml'

/** The global options: what they are called, the value they take and what they do. */
export const GLOBAL_OPTIONS = [
  {
    names: ['-c', '--config'],
    value: 'FILE',
    description: `The configuration file; by default the one that HUB_CONFIG names, else ${DEFAULT_CONFIG_PATH} in the current directory`
  },
  {
    names: ['--no-env'],
    value: null,
    description: 'Let variables of the environment set no keys of the configuration (HUB_DB_PASSWORD and so on)'
  },
  { names: ['-v', '--verbose'], value: null, description: 'Tell the causes of an error and where it was thrown' },
  { names: ['-V', '--version'], value: null, description: 'Print the version; before the command only' },
  { names: ['-h', '--help'], value: null, description: 'Print what a command does; without one, list them all' }
] as const

/**
 * Takes the global options out of the arguments after the program's name: they may stand before the command and behind it, up to
 * a `--`. Throws a `UsageError` when an option lacks its value.
 */
export function parseGlobals(args: readonly string[], { HUB_CONFIG: variable }: Env): Globals {
  let named: string | undefined
  let noEnv = false
  let verbose = false
  let instead: Globals['instead'] = null
  const rest: string[] = []
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    const isBefore = rest.length === 0
    if (arg === '--' && isBefore) continue
    if (arg === '--') {
      rest.push(...args.slice(at))
      break
    }
    if (arg === '-c' || arg === '--config') named = pathOf(arg, args[++at])
    else if (arg.startsWith('--config=')) named = pathOf('--config', arg.slice('--config='.length))
    else if (arg === '--no-env') noEnv = true
    else if (arg === '-v' || arg === '--verbose') verbose = true
    else if (isBefore && (arg === '-V' || arg === '--version')) instead ??= 'version'
    else if (isBefore && (arg === '-h' || arg === '--help')) instead ??= 'help'
    else rest.push(arg)
  }
  const configPath = named ?? (variable || DEFAULT_CONFIG_PATH)
  const configFrom = named !== undefined ? 'option' : variable ? 'variable' : 'default'
  return { configPath, configFrom, noEnv, verbose, instead, rest }
}

function pathOf(option: string, path: string | undefined): string {
  if (path === undefined || path === '') throw new UsageError(`Option ${option} needs a path.`)
  return path
}
