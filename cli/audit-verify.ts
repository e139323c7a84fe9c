import { readFileSync } from 'node:fs'
import { Command, Option } from 'clipanion'
import { readCheckpoint } from '../src/audit/checkpoint.js'
import { type Checkpoint, verifyChain } from '../src/audit/verify.js'
import { AnsweringCommand } from './command.js'
import { CliError } from './errors.js'

/** `hub audit verify`: proves that the log is the one that was written, or names the first position that is not. */
export class AuditVerifyCommand extends AnsweringCommand {
  static override readonly paths = [['audit', 'verify']]
  static override readonly usage = Command.Usage({
    category: 'Audit',
    description:
      'Compute the chain of the whole log again; exit 1 and name the first bad position when it does not hold',
    details: `
      What \`hub audit checkpoint\` printed, or the output of \`--json\`, kept somewhere else, is a checkpoint:
      \`--checkpoint FILE\` finds events that were cut off the end of the log, or a log that was written anew, since then.
    `
  })

  readonly checkpoint = Option.String('--checkpoint', {
    description: 'A file with what hub audit checkpoint printed once; of several the last line counts'
  })
  readonly publicKey = Option.String('--public-key', {
    description: 'Believe only a checkpoint that is signed with this key'
  })

  protected run(): Promise<void> {
    const checkpoint = this.checkpoint === undefined ? null : read(this.checkpoint, this.publicKey)
    return this.withLedger(async ({ storage }) => {
      const report = await verifyChain(storage, checkpoint)
      if (this.json) this.printJson(report)
      if (report.bad) throw new CliError(`Position ${report.bad.position}: ${report.bad.reason}`)
      if (!this.json) this.print(`The chain holds: ${report.position} events, ${report.chain}.`)
    })
  }
}

function read(path: string, trustedKey: string | undefined): Checkpoint {
  try {
    // Of a file with many, the last: that is how they are kept.
    const text = readFileSync(path, 'utf8').trim()
    return readCheckpoint(text.startsWith('{\n') ? text : (text.split('\n').at(-1) ?? ''), trustedKey)
  } catch (cause) {
    const why = cause instanceof Error && /^The /.test(cause.message) ? cause.message : 'It has no position and chain.'
    throw new CliError(`${path} cannot be used as a checkpoint. ${why}`, { cause })
  }
}
