import { existsSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { type BaseContext, Command, Option } from 'clipanion'
import { HUB_ID } from '../commands/hub/events.js'
import type { RestorableKind } from '../commands/kinds.js'
import type { TenantRow } from '../commands/tenant/decide.js'
import { listTenants } from '../queries/tenants.js'
import { maskedIn } from '../src/audit/mask.js'
import { clockDoubt } from '../src/clock.js'
import { ConfigError, type LoadedConfig, loadConfig } from '../src/config/load.js'
import type { HubConfig } from '../src/config/types.js'
import { openReadyLedger, openReadyStorage, openStorageToRead } from '../src/hub.js'
import type { Ledger } from '../src/ledger.js'
import { operatorOf } from '../src/operator.js'
import type { Storage } from '../src/storage/storage.js'
import { configOfPresent, configOfTenant, type TenantAt } from '../src/tenants/config.js'
import { confirmed } from './confirm.js'
import { CliError, errorLines, exitCodeOf } from './errors.js'
import { EXIT } from './exitCodes.js'
import type { Globals } from './globals.js'
import { tenantWithId } from './names.js'
import { kindValue } from './option-values.js'
import type { CommandPage } from './pages.js'
import { type Looked, recordId } from './record-names.js'
import { tableLines } from './table.js'
import { visible, visibleJson } from './visible.js'

/** What every command is given besides its own options. */
export type HubContext = BaseContext & {
  readonly configPath: string
  readonly configFrom: Globals['configFrom']
  readonly noEnv: boolean
  readonly verbose: boolean
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  /** What there is to know of every command. */
  readonly pages: readonly CommandPage[]
}

const COLUMNS = 80

/** What a command has found of a tenant, or why it could not look. */
export type LookedAt<T extends object> = { readonly tenant: string } & (T | { readonly failed: string })

/** A command of the hub. It exits with 0, or as `exitCodeOf` says and with one text on stderr when `run` throws. */
export abstract class HubCommand extends Command<HubContext> {
  /** Hidden where it helps few: whoever needs it is told of it. */
  readonly acceptClock = Option.Boolean('--accept-clock', false, { hidden: true })

  /** Whose log the command is about: that of the hub itself by default. */
  readonly tenant: string | undefined = Option.String('--tenant', {
    description: '<TENANT> Id of the tenant that this is about; the hub itself by default'
  })
  #at: TenantAt | null = null
  /** Files of which it was said what changes them. */
  readonly #told = new Set<string>()

  protected abstract run(): Promise<void>

  override async execute(): Promise<number> {
    try {
      const { subject } = this
      if (subject !== null) this.#at = await this.#found(subject)
      await this.run()
      return EXIT.done
    } catch (error) {
      this.warn(...errorLines(error, this.context.verbose))
      return exitCodeOf(error)
    }
  }

  /** The id of the tenant that the command is about; null for the hub itself. */
  protected get subject(): string | null {
    return this.tenant === undefined || this.tenant === HUB_ID ? null : this.tenant
  }

  /** The configuration of what the command is about. Throws a `ConfigError` that tells all problems of the file. */
  protected config(): HubConfig {
    return this.about(this.hubConfig())
  }

  /** What a configuration is for the tenant that the command is about. */
  protected about(config: HubConfig): HubConfig {
    return this.#at ? configOfTenant(config, this.#at) : config
  }

  /** Reads the configuration file. Throws a `ConfigError` that tells all its problems. */
  protected hubConfig(): HubConfig {
    this.requireConfig()
    return this.load().config
  }

  /**
   * Reads a configuration file, by default the one that this run is about. Where it was named, and not by the environment, stderr is
   * told once which variables change it.
   */
  protected load(path = this.context.configPath): LoadedConfig {
    const { configPath, configFrom, env, noEnv } = this.context
    const loaded = loadConfig(path, env, noEnv ? {} : env)
    const isNamed = configFrom === 'option' || path !== configPath
    const changes = [...loaded.overlaid].map(([key, variable]) => `${variable} sets ${key}`)
    if (isNamed && changes.length > 0 && !this.#told.has(path))
      this.warn(`The environment changes ${path}: ${changes.join(', ')}. --no-env leaves that out.`)
    this.#told.add(path)
    return loaded
  }

  /** The configuration. Throws a `CliError` where it has no tenants; `what` is what somebody wants to do with them. */
  protected configWithTenants(what: string): HubConfig {
    const config = this.hubConfig()
    if (!config.multitenancy.enabled)
      throw new CliError(
        `Multitenancy is disabled in server.yaml. Set multitenancy.enabled to true to ${what} non-default tenants.`
      )
    return config
  }

  async #found(tenant: string): Promise<TenantAt> {
    const storage = await openReadyStorage(this.configWithTenants('use'), this.host.notice)
    try {
      const { generation } = await storage.head()
      return await tenantWithId(storage.rows(generation), tenant)
    } finally {
      await storage.close()
    }
  }

  /** Throws a `ConfigError` that says what to do where there is no configuration file. */
  protected requireConfig(): void {
    const { configPath, configFrom } = this.context
    if (existsSync(configPath)) return
    const from = configFrom === 'variable' ? 'HUB_CONFIG names it. ' : ''
    throw new ConfigError(
      `Config file not found: ${configPath}\n${from}Name yours with --config, or run \`hub start --init\` to write one and start with it.`
    )
  }

  /** Runs `work` on the ledger of the configured database, which must be migrated, and closes it again. */
  protected async withLedger<T>(work: (ledger: Ledger) => Promise<T>, config = this.config()): Promise<T> {
    const ledger = await openReadyLedger(config, this.host)
    try {
      return await work(ledger)
    } finally {
      await ledger.close()
    }
  }

  /** Runs `work` on the storage of the configured database and closes it again, also where another version built the read tables. */
  protected async withStorage<T>(work: (storage: Storage) => Promise<T>, config = this.config()): Promise<T> {
    const storage = await openReadyStorage(config, this.host.notice)
    try {
      return await work(storage)
    } finally {
      await storage.close()
    }
  }

  /**
   * Looks at the log of each tenant, one after another, for a command that has looked at the hub's own; at none where `--tenant` names
   * one log. A tenant that cannot be looked at is told with the reason.
   */
  protected async eachTenant<T extends object>(
    look: (config: HubConfig) => Promise<T>
  ): Promise<readonly LookedAt<T>[]> {
    if (this.tenant !== undefined) return []
    const hub = this.hubConfig()
    const looked: LookedAt<T>[] = []
    const attempt = async (tenant: string, work: () => Promise<T>) => {
      try {
        looked.push({ tenant, ...(await work()) })
      } catch (error) {
        looked.push({ tenant, failed: errorLines(error, false).join(' ') })
      }
    }
    for (const row of await tenantsIn(hub)) await attempt(row.tenant, async () => look(configOfPresent(hub, row)))
    return looked
  }

  /** What a database is opened with on behalf of somebody at a terminal. */
  protected get host() {
    const operator = operatorOf(['hub', ...this.path].join(' '), this.context.env)
    return { notice: (text: string) => this.warn(text), acceptClock: this.acceptClock, operator }
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

  /**
   * Writes a list: on a terminal as a table under `head`, elsewhere as lines, which stay as they are for scripts. Cells and
   * lines are of the same items.
   */
  protected printList(head: readonly string[], rows: readonly (readonly string[])[], lines: readonly string[]): void {
    this.print(...(this.isTerminal ? tableLines(head, rows, this.context.stdout.columns ?? COLUMNS) : lines))
  }

  /** True where somebody reads what is printed as it is printed. */
  protected get isTerminal(): boolean {
    return this.context.stdout.isTTY === true
  }

  /** Asks before something is destroyed, unless `isMeant`. Throws a `CliError` where it is not to be done. */
  protected confirm(question: string, isMeant: boolean): Promise<void> {
    return confirmed(question, isMeant, this.context)
  }

  /** The same for what scripts do without an option: asked is only somebody at a terminal. */
  protected async confirmAtTerminal(question: string, isMeant: boolean): Promise<void> {
    if (this.context.stdin.isTTY) await this.confirm(question, isMeant)
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

/** The tenants that the log of a hub tells of, from a database that stays as it is. */
async function tenantsIn({ db }: HubConfig): Promise<readonly TenantRow[]> {
  const storage = await openStorageToRead(db)
  try {
    const { generation } = await storage.head()
    return await listTenants(storage.rows(generation))
  } finally {
    await storage.close()
  }
}

function shown(lines: readonly string[]): string {
  return lines.map((line) => `${visible(line)}\n`).join('')
}

/** A command about one record, which is named by its kind and by its id or name. */
export abstract class RecordCommand extends AnsweringCommand {
  readonly kindName = Option.String({ name: 'kind' })
  readonly named = Option.String({ name: 'id-or-name' })

  protected get kind(): RestorableKind {
    return kindValue(this.kindName)
  }

  /** The id of the record. Throws a `CliError` where nothing of the kind goes by what was given, or several do. */
  protected idIn(ledger: Ledger, looked: Looked = 'live, then deleted'): Promise<string> {
    return recordId(ledger, this.kind, this.named, looked)
  }
}

/** What `--reveal` does, wherever it is. */
export const REVEAL = 'Show secrets of variables, auth blocks and headers'

/** One that prints what is in the record: secrets are masked unless `--reveal` is given. */
export abstract class ContentCommand extends RecordCommand {
  readonly reveal = Option.Boolean('--reveal', false, { description: REVEAL })

  /** What may be shown of a value. */
  protected shown(value: unknown): unknown {
    return this.reveal ? value : maskedIn(value)
  }
}
