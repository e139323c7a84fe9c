import { type BaseContext, Command, Option } from 'clipanion'
import { loadConfig } from '../src/config/load.js'
import type { HubConfig } from '../src/config/types.js'
import { openReadyLedger, openReadyStorage } from '../src/hub.js'
import type { Ledger } from '../src/ledger.js'
import type { Storage } from '../src/storage/storage.js'
import { errorText } from './errors.js'

/** What every command is given besides its own options. */
export type HubContext = BaseContext & {
  readonly configPath: string
  readonly verbose: boolean
}

/** A command of the hub. It exits with 0, or with 1 and one text on stderr when `run` throws. */
export abstract class HubCommand extends Command<HubContext> {
  protected abstract run(): Promise<void>

  override async execute(): Promise<number> {
    try {
      await this.run()
      return 0
    } catch (error) {
      this.context.stderr.write(`${errorText(error, this.context.verbose)}\n`)
      return 1
    }
  }

  /** Reads the configuration file. Throws a `ConfigError` that tells all its problems. */
  protected config(): HubConfig {
    return loadConfig(this.context.configPath, this.context.env).config
  }

  /** Runs `work` on the ledger of the configured database, which must be migrated, and closes it again. */
  protected async withLedger<T>(work: (ledger: Ledger) => Promise<T>): Promise<T> {
    const ledger = await openReadyLedger(this.config())
    try {
      return await work(ledger)
    } finally {
      await ledger.close()
    }
  }

  /** The same on its storage, also where the read tables were built by another version. */
  protected async withStorage<T>(work: (storage: Storage) => Promise<T>): Promise<T> {
    const storage = await openReadyStorage(this.config())
    try {
      return await work(storage)
    } finally {
      await storage.close()
    }
  }

  /** Writes lines to stdout. */
  protected print(...lines: readonly string[]): void {
    this.context.stdout.write(lines.map((line) => `${line}\n`).join(''))
  }
}

/** A command that can answer with one JSON document instead of text. */
export abstract class AnsweringCommand extends HubCommand {
  readonly json = Option.Boolean('--json', false, { description: 'Print one JSON document instead of text' })

  protected printJson(value: unknown): void {
    this.print(JSON.stringify(value, null, 2))
  }
}
