import { join, resolve } from 'node:path'
import { Command, Option } from 'clipanion'
import { readKeyring } from '../src/audit/sealKey.js'
import { following, followUntil } from '../src/backup/follow.js'
import { lockFile } from '../src/hub.js'
import { HubCommand } from './command.js'
import { CliError } from './errors.js'
import { durationValue } from './option-values.js'
import { stoppable } from './signals.js'

const LOCK = 'hub-backup.lock'

export class BackupFollowCommand extends HubCommand {
  static override readonly paths = [['backup', 'follow']]
  static override readonly usage = Command.Usage({
    description: 'Write backups to a directory again and again, until Ctrl-C: a full one, then what was written since',
    details: `
      A full backup begins a set; each file after it holds the positions since the one before, and nothing is written where
      nothing has happened. After a day, or half of \`--keep\` where that is less, the next set begins. A set is removed when the
      one after it was begun longer ago than \`--keep\`. Other files of the directory are left alone.
    `,
    examples: [
      ['Every five minutes', '$0 backup follow /backups --every 5m --keep 7d'],
      ['From cron', '$0 backup follow /backups --once']
    ]
  })

  readonly directory = Option.String({ name: 'directory' })
  readonly every = Option.String('--every', '5m', { description: '<TIME> How long to wait in between; 5m by default' })
  readonly keep = Option.String('--keep', '7d', {
    description: '<TIME> How long a set stays after the next; 7d by default'
  })
  readonly once = Option.Boolean('--once', false, { description: 'One time only' })

  protected async run(): Promise<void> {
    const every_ms = durationValue('--every', this.every, '1s', '7d')
    const keep_ms = durationValue('--keep', this.keep, '1m', '3650d')
    const directory = resolve(this.directory)
    const unlock = await lockFile(join(directory, LOCK))
    if (!unlock) throw new CliError(`Another hub backup follow writes to ${directory}.`)
    await stoppable((signal) => this.#follow(directory, every_ms, keep_ms, signal)).finally(unlock)
  }

  #follow(directory: string, every_ms: number, keep_ms: number, signal: AbortSignal): Promise<void> {
    const keys = readKeyring(this.config().audit)
    return this.withLedger(async (ledger) => {
      const say = (text: string) => this.print(`${new Date(ledger.now()).toISOString()} ${text}`)
      const { now } = ledger
      const round = await following({ ledger, keys, directory, keep_ms, now, say, signal })
      if (!this.once) return followUntil(round, every_ms, signal, (text) => this.warn(text))
      if ((await round()) === 'nothing') say('Nothing was written since the last backup.')
    })
  }
}
