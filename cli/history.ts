import { Command } from 'clipanion'
import { KINDS } from '../commands/kinds.js'
import { historyOf, type Version } from '../src/history/history.js'
import { RecordCommand } from './record-command.js'

const PAGE = 50

/** `hub history`: every version of a record, also of a deleted one. */
export class HistoryCommand extends RecordCommand {
  static override readonly paths = [['history']]
  static override readonly usage = Command.Usage({
    category: 'History',
    description: 'List the versions of a record: when, who, which fields',
    details: `Kinds are ${KINDS.slice(0, -1).join(', ')} and ${KINDS.at(-1)}. Deleted records are found too.`
  })

  protected run(): Promise<void> {
    const { kind, id } = this
    return this.withLedger(async (ledger) => {
      const versions: Version[] = []
      for (let before: number | undefined; before !== 1; before = versions.at(-1)?.version ?? 1)
        versions.push(...(await historyOf(ledger, kind, id, { limit: PAGE, before })).versions)
      versions.reverse()
      if (this.json) return this.printJson({ kind, id, versions })
      this.print(...versions.map(line))
    })
  }
}

function line({ version, position, at, type, by, changed, deleted, erased, causation }: Version): string {
  const what = erased ? 'erased' : deleted ? 'deleted' : changed.join(', ')
  const cause = causation === undefined ? '' : ` (of position ${causation})`
  return `${version}  ${at}  position ${position}  ${by.name ?? by.id}  ${type}${cause}: ${what}`
}
