import { z } from 'zod'
import { CliError } from './errors.js'
import { misplacedGlobal } from './globals.js'

type Words = readonly string[]

/** What clipanion throws at arguments that fit no command. It does not export the class. */
const refused = z.object({
  candidates: z.array(z.object({ reason: z.string().nullable() }))
})

/** True where help is asked for on words that are no command yet, as in `hub user --help`. */
export function wantsHelp(args: Words): boolean {
  return args.includes('-h') || args.includes('--help')
}

/** What is wrong with arguments that clipanion refused with `error`, and where help is. */
export function syntaxError(error: unknown, args: Words, paths: readonly Words[]): CliError {
  const known = paths.find((path) => startsWith(args, path))
  const misplaced = misplacedGlobal(args)
  if (misplaced) {
    const option = misplaced === '-c' || misplaced === '--config' ? `${misplaced} <path>` : misplaced
    return new CliError(`Option ${misplaced} goes before the command: hub ${option} ${known?.join(' ') ?? '<command>'}`)
  }
  if (known) {
    const [candidate] = refused.safeParse(error).data?.candidates ?? []
    return new CliError(reasonOf(candidate?.reason), { help: `See: hub ${known.join(' ')} --help` })
  }
  const optionAt = args.findIndex((arg) => arg.startsWith('-'))
  const words = optionAt < 0 ? args : args.slice(0, optionAt)
  const next = new Set(paths.filter((path) => startsWith(path, words)).map((path) => path[words.length]))
  const said =
    words.length === 0
      ? `Unknown option ${args[0]}.`
      : next.size === 0
        ? `Unknown command: hub ${words.join(' ')}`
        : `Incomplete command: hub ${words.join(' ')} <${[...next].join('|')}>`
  return new CliError(said, { help: 'See: hub --help' })
}

function reasonOf(reason: string | null | undefined): string {
  return (reason ?? 'The arguments do not fit the command.')
    .replace(/^(?:Unsupported|Invalid) option name \("(.*)"\)\.$/s, 'Unknown option $1.')
    .replace(/^Extraneous positional argument \("(.*)"\)\.$/s, 'Unexpected argument $1.')
    .replace(/^Not enough positional arguments\.$/, 'An argument is missing.')
    .replace(/^Not enough arguments to option (.*)\.$/s, 'Option $1 needs a value.')
}

function startsWith(whole: Words, start: Words): boolean {
  return start.every((word, at) => whole[at] === word)
}
