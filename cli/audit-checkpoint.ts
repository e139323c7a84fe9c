import { Command } from 'clipanion'
import { signCheckpoint, signingKey } from '../src/audit/checkpoint.js'
import { HubCommand } from './command.js'

/** `hub audit checkpoint`: where the log ends, signed, as one line of JSON to be kept somewhere else. */
export class AuditCheckpointCommand extends HubCommand {
  static override readonly paths = [['audit', 'checkpoint']]
  static override readonly usage = Command.Usage({
    category: 'Audit',
    description: 'Print where the log ends, signed with Ed25519, to be kept somewhere else',
    details: `
      The key is that of \`audit.checkpointKeyFile\`, made where there is none. \`hub audit verify --checkpoint FILE\`
      later proves that nothing up to there was changed or cut off; \`--public-key\` says whose signature is believed.
    `,
    examples: [['Keep one', '$0 audit checkpoint >> checkpoints.ndjson']]
  })

  protected run(): Promise<void> {
    const key = signingKey(this.config().audit.checkpointKeyFile)
    return this.withLedger(async ({ storage }) => {
      this.printDocument(signCheckpoint(await storage.head(), key, new Date().toISOString()))
    })
  }
}
