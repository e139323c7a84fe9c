import { randomUUID } from 'node:crypto'
import { Command, Option } from 'clipanion'
import { openReadyLedger } from '../src/hub.js'
import { systemOrigin } from '../src/ledger.js'
import { lossText } from '../src/log/wentBack.js'
import { forgetLostEnds, lostEnds } from '../src/lostEnds.js'
import { AnsweringCommand, YES_HELP } from './command.js'

/** `hub log accept-head`: serves a log again that went back, and says what is lost. */
export class LogAcceptHeadCommand extends AnsweringCommand {
  static override readonly paths = [['log', 'accept-head']]
  static override readonly usage = Command.Usage({
    category: 'Log',
    description: 'Accept that the log went back, as where a standby took over that was late, and serve it again',
    details: `
      A hub that finds that the log does not hold what it knew of it reads and writes nothing more, and so does every other that
      opens it. This says up to where the log was known to go on, and after a yes writes that into the log as an event: hubs that
      run then serve it as it is within a second. What was lost is not brought back. Before that, look whether the
      database that had it can be.
    `,
    examples: [['After a failover', '$0 log accept-head']]
  })

  readonly yes = Option.Boolean('--yes', false, { description: YES_HELP })

  protected async run(): Promise<void> {
    const ledger = await openReadyLedger(this.config(), { ...this.host, acceptsLoss: true })
    try {
      const { storage, view } = ledger
      const lost = await lostEnds(storage)
      const { position: end } = view.head
      const [furthest] = lost
      if (furthest) {
        this.warn(lossText(furthest, { position: end }), LOST)
        await this.confirm('Serve the log as it is?', this.yes)
        await ledger.run({ type: 'RecordHeadAccepted', id: randomUUID(), data: { lost: [...lost], end } }, systemOrigin)
      }
      await forgetLostEnds(storage.state)
      if (this.json) this.printJson({ lost, end })
      else
        this.print(
          furthest ? 'Accepted. Hubs that run serve it within a second.' : 'The log holds what is known of it.'
        )
    } finally {
      await ledger.close()
    }
  }
}

const LOST =
  'What was committed behind the last event that both have is lost, and whoever saved it has to save it again.'
