import type { Readable, Writable } from 'node:stream'
import { VERSION } from '../src/lib/version.js'
import { EXIT, errorLines, exitCodeOf } from './lib/errors.js'
import { parseGlobals } from './lib/globals.js'
import { visibleLines } from './lib/visible.js'

/** Where a run of the command line writes, and where answers to its questions come from. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  readonly stderr: Writable
  readonly colors: boolean
}

/** Runs what the arguments after the program's name ask for. Resolves with the exit code; never rejects. */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await run(args, terminal)
  } catch (error) {
    terminal.stderr.write(visibleLines(errorLines(error, false)))
    return exitCodeOf(error)
  }
}

async function run(args: readonly string[], { stdin, stdout, stderr, colors }: Terminal): Promise<number> {
  const { rest, instead, ...given } = parseGlobals(args, process.env)
  const show = (text: string) => {
    stdout.write(text)
    return EXIT.done
  }
  if (instead === 'version') return show(`${VERSION}\n`)
  // What all commands together need takes longer to load than a version to tell.
  const [{ commands }, { HubCli, pageOf }, { colouredLook, helpOf, plainLook }, { syntaxError, unknownWords }] =
    await Promise.all([
      import('./commands.js'),
      import('./pages.js'),
      import('./lib/help.js'),
      import('./lib/syntax.js')
    ])
  const { pages } = new HubCli(commands)
  const help = helpAsked(instead === 'help' ? ['help', ...rest] : rest)
  // A group of commands by itself says what there is, as `hub` does.
  const words = help ?? (rest.every((arg) => !arg.startsWith('-')) && !pageOf(pages, rest) ? rest : null)
  const text = words && helpOf(pages, words, colors ? colouredLook : plainLook)
  if (text) return show(text)
  if (help) throw unknownWords(help, help, pages)
  const begun = commands.filter(({ paths = [] }) => paths.some(([word]) => word === rest[0]))
  // The grammar of all commands takes a tenth of a second to build, and these are what the arguments may call.
  const cli = new HubCli(begun.length > 0 ? begun : commands)
  const context = { ...given, stdin, stdout, stderr, pages }
  let command: ReturnType<typeof cli.process>
  try {
    command = cli.process([...rest], context)
  } catch (error) {
    throw syntaxError(error, rest, pages)
  }
  return cli.run(command, context)
}

/** The words that help is asked for, as in `hub help user` and `hub user --help`; null where it is not. */
function helpAsked(rest: readonly string[]): readonly string[] | null {
  const end = rest.indexOf('--')
  const options = end < 0 ? rest : rest.slice(0, end)
  if (rest[0] === 'help') return rest.slice(1).filter((arg) => !arg.startsWith('-'))
  if (!options.includes('-h') && !options.includes('--help')) return null
  const optionAt = rest.findIndex((arg) => arg.startsWith('-'))
  return rest.slice(0, optionAt)
}
