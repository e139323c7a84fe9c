import { createHash } from 'node:crypto'
import { Command } from 'clipanion'
import { type Verification, verify } from '../projections/verify.js'
import { AnsweringCommand } from './command.js'
import { CliError } from './errors.js'

/** `hub projections verify`: proves that the read tables are what the log says, or names the rows that are not. */
export class ProjectionsVerifyCommand extends AnsweringCommand {
  static override readonly paths = [['projections', 'verify']]
  static override readonly usage = Command.Usage({
    category: 'Projections',
    description: 'Replay the log beside the live read tables and compare every row; exit 1 when any differs'
  })

  protected run(): Promise<void> {
    return this.withLedger(async ({ storage, readEvents }) => {
      const result = await verify(storage, readEvents, () => createHash('sha256'))
      if (this.json) this.printJson(result)
      else this.print(...report(result))
      if (!result.equal) throw new CliError('The read tables differ from a replay of the log.')
    })
  }
}

function report({ position, tables }: Verification): readonly string[] {
  return [
    `Replayed the log up to position ${position}.`,
    ...tables.flatMap(({ table, rows, live, differences }) => [
      `${differences.length === 0 ? 'ok  ' : 'DIFF'} ${table}: ${rows} rows, sha256 ${live.slice(0, 16)}`,
      ...differences.map(
        ({ id, kind, columns }) => `     ${kind} ${id}${columns.length > 0 ? `: ${columns.join(', ')}` : ''}`
      )
    ])
  ]
}
