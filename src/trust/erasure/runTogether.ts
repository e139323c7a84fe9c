import type { Command } from '../../../commands/index.js'
import type { CommandOrigin, Ledger } from '../../ledger/ledger.js'
import { slices } from '../../limits.js'

/** So many events are told of in one commit, where each has an event of its own. */
const AT_ONCE = 200

/** Runs commands, many in one commit. */
export async function runTogether(ledger: Ledger, commands: readonly Command[], origin: CommandOrigin): Promise<void> {
  for (const some of slices(commands, AT_ONCE)) await Promise.all(some.map((command) => ledger.run(command, origin)))
}
