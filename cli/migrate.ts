import { Command } from 'clipanion'
import { migrateDatabase } from '../src/start.js'
import { HubCommand } from './command.js'

/** `hub migrate`: makes the configured database ready for this version. Harmless when it is already. */
export class MigrateCommand extends HubCommand {
  static override readonly paths = [['migrate']]
  static override readonly usage = Command.Usage({
    category: 'Server',
    description: 'Set up the configured database, or bring it up to this version'
  })

  protected async run(): Promise<void> {
    await migrateDatabase(this.config())
    this.print('Database migration completed successfully.')
  }
}
