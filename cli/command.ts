import { type BaseContext, Command, Option } from 'clipanion'
import { clockDoubt } from '../src/clock.js'
import { loadConfig } from '../src/config/load.js'
import type { HubConfig } from '../src/config/types.js'
import { openReadyLedger, openReadyStorage } from '../src/hub.js'
import type { Ledger } from '../src/ledger.js'
import type { Storage } from '../src/storage/storage.js'
import { errorLines } from './errors.js'
import { visible, visibleJson } from './visible.js'

/** What every command is given besides its own options. */
export type HubContext = BaseContext & {
  readonly configPath: string
  readonly verbose: boolean
}

/** A command of the hub. It exits with 0, or with 1 and one text on stderr when `run` throws. */
export abstract class HubCommand extends Command<HubContext> {
  /** Hidden where it helps few: whoever needs it is told of it. */
  readonly acceptClock = Option.Boolean('--accept-clock', false, { hidden: true })

  protected abstract run(): Promise<void>

  override async execute(): Promise<number> {
    try {
      await this.run()
      return 0
    } catch (error) {
      this.warn(...errorLines(error, this.context.verbose))
      return 1
    }
  }

  /** Reads the configuration file. Throws a `ConfigError` that tells all its problems. */
  protected config(): HubConfig {
    return loadConfig(this.context.configPath, this.context.env).config
  }

  /** Runs `work` on the ledger of the configured database, which must be migrated, and closes it again. */
  protected async withLedger<T>(work: (ledger: Ledger) => Promise<T>): Promise<T> {
    const ledger = await openReadyLedger(this.config(), this.host)
    try {
      return await work(ledger)
    } finally {
      await ledger.close()
    }
  }

  /** The same on its storage, also where the read tables were built by another version. */
  protected async withStorage<T>(work: (storage: Storage) => Promise<T>): Promise<T> {
    const storage = await openReadyStorage(this.config(), this.host.notice)
    try {
      return await work(storage)
    } finally {
      await storage.close()
    }
  }

  /** What a database is opened with on behalf of somebody at a terminal. */
  protected get host() {
    return { notice: (text: string) => this.warn(text), acceptClock: this.acceptClock }
  }

  /** Compares the clock with a log that is about to be written to without a ledger. Throws `ClockRefused`. */
  protected async compareClock(storage: Storage): Promise<void> {
    const doubt = clockDoubt(Date.now(), await storage.head(), this.acceptClock)
    if (doubt !== null) this.warn(doubt)
  }

  /** Writes lines to stdout. Whatever is in a line, a break too, is shown and not obeyed by the terminal. */
  protected print(...lines: readonly string[]): void {
    this.context.stdout.write(shown(lines))
  }

  /** Writes lines to stderr, as `print` does. */
  protected warn(...lines: readonly string[]): void {
    this.context.stderr.write(shown(lines))
  }

  /** Writes a JSON document to stdout, on one line unless `indent` is given. */
  protected printDocument(value: unknown, indent?: number): void {
    this.context.stdout.write(`${visibleJson(value, indent)}\n`)
  }
}

/** A command that can answer with one JSON document instead of text. */
export abstract class AnsweringCommand extends HubCommand {
  readonly json = Option.Boolean('--json', false, { description: 'Print one JSON document instead of text' })

  protected printJson(value: unknown): void {
    this.printDocument(value, 2)
  }
}

function shown(lines: readonly string[]): string {
  return lines.map((line) => `${visible(line)}\n`).join('')
}
