import type { Writable } from 'node:stream'
import { VERSION } from '../src/version.js'
import { commands } from './commands.js'
import { errorLines } from './errors.js'
import { parseGlobals } from './globals.js'
import { HubCli } from './help.js'
import { syntaxError, wantsHelp } from './syntax.js'
import { visible } from './visible.js'

/** Where a run of the command line writes. */
export interface Terminal {
  readonly stdout: Writable
  readonly stderr: Writable
  readonly colors: boolean
}

/** Runs what the arguments after the program's name ask for. Resolves with the exit code; never rejects. */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await run(args, terminal)
  } catch (error) {
    terminal.stderr.write(
      errorLines(error, false)
        .map((line) => `${visible(line)}\n`)
        .join('')
    )
    return 1
  }
}

async function run(args: readonly string[], { stdout, stderr, colors }: Terminal): Promise<number> {
  const { rest, instead, ...given } = parseGlobals(args)
  const cli = new HubCli(commands, colors)
  const show = (text: string) => {
    stdout.write(text)
    return 0
  }
  if (instead === 'version') return show(`${VERSION}\n`)
  if (instead === 'help' || rest.length === 0) return show(cli.usage())
  const context = { ...given, stdout, stderr }
  let command: ReturnType<typeof cli.process>
  try {
    command = cli.process([...rest], context)
  } catch (error) {
    if (wantsHelp(rest)) return show(cli.usage())
    const paths = commands.flatMap(({ paths }) => paths ?? [])
    throw syntaxError(error, rest, paths)
  }
  return cli.run(command, context)
}
