import { readFileSync } from 'node:fs'
import { Command, Option } from 'clipanion'
import { z } from 'zod'
import { type Checkpoint, verifyChain } from '../src/audit/verify.js'
import { AnsweringCommand } from './command.js'
import { CliError } from './errors.js'

const checkpointFile = z.object({
  position: z.number().int().nonnegative(),
  chain: z.string().regex(/^[0-9a-f]{64}$/)
})

/** `hub audit verify`: proves that the log is the one that was written, or names the first position that is not. */
export class AuditVerifyCommand extends AnsweringCommand {
  static override readonly paths = [['audit', 'verify']]
  static override readonly usage = Command.Usage({
    category: 'Audit',
    description:
      'Compute the chain of the whole log again; exit 1 and name the first bad position when it does not hold',
    details: `
      The output of \`--json\`, kept somewhere else, is a checkpoint: \`--checkpoint FILE\` finds events that were cut off
      the end of the log, or a log that was written anew, since it was taken.
    `
  })

  readonly checkpoint = Option.String('--checkpoint', {
    description: 'A file with the position and chain that the log had once'
  })

  protected run(): Promise<void> {
    const checkpoint = this.checkpoint === undefined ? null : readCheckpoint(this.checkpoint)
    return this.withLedger(async ({ storage }) => {
      const report = await verifyChain(storage, checkpoint)
      if (this.json) this.printJson(report)
      if (report.bad) throw new CliError(`Position ${report.bad.position}: ${report.bad.reason}`)
      if (!this.json) this.print(`The chain holds: ${report.position} events, ${report.chain}.`)
    })
  }
}

function readCheckpoint(path: string): Checkpoint {
  try {
    return checkpointFile.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (cause) {
    throw new CliError(`${path} is no checkpoint: a JSON object with "position" and "chain" is expected.`, { cause })
  }
}
