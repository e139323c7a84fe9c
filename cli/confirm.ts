import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { CliError } from './errors.js'
import { visible } from './visible.js'

/** Where somebody can be asked. */
export interface Asking {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stderr: Writable
}

/** How the option is described that answers beforehand. */
export const YES_HELP = 'Do it without asking; needed where nobody can be asked'
/** The same for what is done without asking where nobody can be asked. */
export const TERMINAL_YES_HELP = 'Do it without asking; only a terminal is asked'

/**
 * Asks whether something is to be destroyed, and resolves where the answer is yes. `isMeant` answers beforehand. Throws a
 * `CliError` where the answer is another, and where there is no terminal to ask at.
 */
export async function confirmed(question: string, isMeant: boolean, { stdin, stderr }: Asking): Promise<void> {
  if (isMeant) return
  if (!stdin.isTTY) throw new CliError(`${question} Nobody can be asked here, so nothing was done. Add --yes to do it.`)
  stderr.write(`${visible(question)} [y/N] `)
  const lines = createInterface({ input: stdin, terminal: false })
  // Ctrl-D ends the input, which is no yes.
  const [answer] = await Promise.race([once(lines, 'line'), once(lines, 'close').then(() => [''])])
  lines.close()
  if (!/^\s*y(es)?\s*$/i.test(String(answer))) throw new CliError('Nothing was done.')
}
