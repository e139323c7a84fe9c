import { CliError } from './errors.js'

/** What stands before the subcommand, and the arguments from the subcommand on. */
export interface Globals {
  /** As given, so that messages name it the way the person did. */
  readonly configPath: string
  readonly verbose: boolean
  /** What is asked for instead of a command. */
  readonly instead: 'version' | 'help' | null
  readonly rest: string[]
}

export const DEFAULT_CONFIG_PATH = 'server.yaml'

/** The help text of the options that every command has. */
export const GLOBAL_OPTIONS = `Global options, before the command

  -c,--config <path>    The configuration file; ${DEFAULT_CONFIG_PATH} in the current directory by default
  -v,--verbose          Tell the causes of an error and where it was thrown
  -V,--version          Print the version
  -h,--help             Print this text, or behind a command what it does
`

const GLOBAL = /^(-c|--config|-v|--verbose|-V|--version)(=.*)?$/s

/** Splits the arguments after the program's name. Throws a `CliError` when an option lacks its value. */
export function parseGlobals(args: readonly string[]): Globals {
  let configPath = DEFAULT_CONFIG_PATH
  let verbose = false
  let instead: Globals['instead'] = null
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (arg === '-c' || arg === '--config') configPath = pathOf(arg, args[++at])
    else if (arg.startsWith('--config=')) configPath = pathOf('--config', arg.slice('--config='.length))
    else if (arg === '-v' || arg === '--verbose') verbose = true
    else if (arg === '-V' || arg === '--version') instead ??= 'version'
    else if (arg === '-h' || arg === '--help') instead ??= 'help'
    else if (arg !== '--') return { configPath, verbose, instead, rest: args.slice(at) }
  }
  return { configPath, verbose, instead, rest: [] }
}

/** The first global option among arguments that a command refused, or undefined. */
export function misplacedGlobal(rest: readonly string[]): string | undefined {
  return rest.map((arg) => GLOBAL.exec(arg)?.[1]).find((name) => name !== undefined)
}

function pathOf(option: string, path: string | undefined): string {
  if (path === undefined || path === '') throw new CliError(`Option ${option} needs a path.`)
  return path
}
