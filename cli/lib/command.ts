import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { type BaseContext, Command, Option, type Usage } from 'clipanion'
import { HUB_ID } from '../../commands/tenants/hub/events.js'
import { listTenants } from '../../queries/tenants.js'
import { openHeads, openReadyStorage, openStorageToRead } from '../../src/app/databases.js'
import { openReadyLedger, requireNothingLost } from '../../src/app/hub.js'
import type { OpenLedger } from '../../src/app/openLedger.js'
import { keyFiles } from '../../src/config/keys.js'
import { ConfigError, type LoadedConfig, loadConfig } from '../../src/config/load.js'
import type { HubConfig } from '../../src/config/types.js'
import { operatorOf } from '../../src/ledger/operator.js'
import { clockDoubt } from '../../src/lib/clock.js'
import { linkless } from '../../src/lib/files.js'
import { withKnownHeads } from '../../src/log/knownHeads.js'
import { type ReadStore, type Storage, StorageUnavailable } from '../../src/storage/storage.js'
import { configOfPresent, configOfTenant, type TenantAt } from '../../src/tenants/config.js'
import type { CommandPage } from '../pages.js'
import type { Terminal } from '../run.js'
import { CliError, EXIT, errorLines, exitCodeOf, UsageError } from './errors.js'
import type { Globals } from './globals.js'
import { tenantWithId } from './names.js'
import { type Texts, tableLines } from './table.js'
import { visible, visibleJson, visibleLines } from './visible.js'

/** What every command is given besides its own options. */
export type HubContext = BaseContext &
  Omit<Globals, 'instead' | 'rest'> &
  Pick<Terminal, 'stdin' | 'stdout'> & {
    /** What there is to know of every command. */
    readonly pages: readonly CommandPage[]
  }

/** How the option is described that answers a question beforehand. */
export const YES_HELP = 'Do it without asking; needed where nobody can be asked'
/** The same for what is done without asking where nobody can be asked. */
export const TERMINAL_YES_HELP = 'Do it without asking; only a terminal is asked'
/** What `--reveal` does, wherever it is. */
export const REVEAL = 'Show secrets of variables, auth blocks and headers'

const COLUMNS = 80

/** What a command has found of a tenant, or why it could not look. */
export type LookedAt<T extends object> = { readonly tenant: string } & (T | { readonly failed: string })

/** What a command is called, and what its help says. */
type HubUsage = Usage & { readonly paths: string[][] }

/** The usage of a command that goes by some names, of which the first is its own. */
export function usage(names: string | readonly string[], texts: Usage): HubUsage {
  return { ...texts, paths: [names].flat().map((name) => name.split(' ')) }
}

/** A command of the hub. It exits with 0, or as `exitCodeOf` says and with one text on stderr when `run` throws. */
export abstract class HubCommand extends Command<HubContext> {
  static override usage?: HubUsage
  static override get paths(): string[][] | undefined {
    // biome-ignore lint/complexity/noThisInStatic: each command has its own.
    return this.usage?.paths
  }

  /** Hidden where it helps few: whoever needs it is told of it. */
  readonly acceptClock = Option.Boolean('--accept-clock', false, { hidden: true })

  /** Whose log the command is about: that of the hub itself by default. */
  readonly tenant: string | undefined = Option.String('--tenant', {
    description: '<TENANT> Id of the tenant that this is about; the hub itself by default'
  })
  #at: TenantAt | null = null
  /** Files of which it was said what changes them. */
  readonly #told = new Set<string>()
  #isWaiting = false

  protected abstract run(): Promise<void>

  override async execute(): Promise<number> {
    try {
      await this.locate()
      await this.run()
      return EXIT.done
    } catch (error) {
      this.warn(...errorLines(error, this.context.verbose))
      return exitCodeOf(error)
    }
  }

  /** Looks where the log is that the command is about: once, and again by a command that goes on while a tenant may be moved. */
  protected async locate(): Promise<void> {
    const { subject } = this
    if (subject !== null) this.#at = await this.#found(subject)
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
    return this.withStorage(
      async (storage) => tenantWithId(await liveRows(storage), tenant),
      this.configWithTenants('use')
    )
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
  protected async withLedger<T>(work: (ledger: OpenLedger) => Promise<T>, config = this.config()): Promise<T> {
    return closing(openHeads(config, this.host.notice), ({ heads }) =>
      closing(openReadyLedger(config, { ...this.host, heads }), work)
    )
  }

  /** Runs `work` on the storage of the configured database and closes it again, also where another version built the read tables. */
  protected async withStorage<T>(work: (storage: Storage) => Promise<T>, config = this.config()): Promise<T> {
    return closing(openReadyStorage(config, this.host.notice), work)
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
    const rows = await closing(openStorageToRead(hub.db), async (storage) => listTenants(await liveRows(storage)))
    for (const row of rows) {
      try {
        looked.push({ tenant: row.tenant, ...(await look(configOfPresent(hub, row))) })
      } catch (error) {
        looked.push({ tenant: row.tenant, failed: errorLines(error, false).join(' ') })
      }
    }
    return looked
  }

  /** What a database is opened with on behalf of somebody at a terminal. */
  protected get host() {
    const operator = operatorOf(['hub', ...this.path].join(' '), this.context.env)
    return { notice: (text: string) => this.warn(text), acceptClock: this.acceptClock, operator }
  }

  /** Compares the clock with a log that is about to be written to. Throws `ClockRefused`. */
  protected async compareClock(storage: Storage): Promise<void> {
    const doubt = clockDoubt(Date.now(), await storage.head(), this.acceptClock)
    if (doubt !== null) this.warn(doubt)
  }

  /**
   * The same of one without a ledger: what `work` commits through what it is given is told to the hubs. Throws `NotReady` where the log
   * does not hold what they have written.
   */
  protected async telling<T>(storage: Storage, config: HubConfig, work: (told: Storage) => Promise<T>): Promise<T> {
    await this.compareClock(storage)
    const { notice } = this.host
    return closing(openHeads(config, notice), async ({ heads }) => {
      await requireNothingLost(storage, heads)
      return work(await withKnownHeads(storage, heads, false, notice))
    })
  }

  /**
   * Does once what a command does again and again. While the database is away, that is told once, and this resolves to null: the next
   * time tries it again.
   */
  protected async unlessAway<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      const done = await work()
      this.#isWaiting = false
      return done
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) throw error
      if (!this.#isWaiting) this.warn(...errorLines(error, this.context.verbose), 'It is tried again until it answers.')
      this.#isWaiting = true
      return null
    }
  }

  /**
   * Throws a `CliError` where what is to be written can be no file: it has no name, is a directory, or something of the hub's
   * own that nothing would bring back.
   */
  protected requireFile(file: string): void {
    requireName(file)
    if (file.endsWith('/') || statSync(file, { throwIfNoEntry: false })?.isDirectory())
      throw new CliError(`${file} is a directory. Name a file in it.`)
    const configs = [this.hubConfig(), this.config()]
    for (const [what, paths] of [
      ['the database', configs.flatMap(({ db }) => (db.driver === 'sqlite' ? [db.path] : []))],
      ['a key', configs.flatMap(keyFiles)],
      ['the configuration', [this.context.configPath]]
    ] as const)
      if (paths.some((path) => linkless(path) === linkless(file)))
        throw new CliError(`${file} is ${what} of the hub. Name another file.`)
  }

  /** Writes lines to stdout. Whatever is in a line, a break too, is shown and not obeyed by the terminal. */
  protected print(...lines: readonly string[]): void {
    this.context.stdout.write(visibleLines(lines))
  }

  /**
   * Writes a list: on a terminal as a table under `head`, elsewhere as lines, which stay as they are for scripts. Cells and
   * lines are of the same items; by default a line is its cells.
   */
  protected printList(head: Texts, rows: readonly Texts[], lines = rows.map((row) => row.join('  ').trimEnd())): void {
    // A list may have more lines than a call takes arguments.
    const shown = this.isTerminal ? tableLines(head, rows, this.context.stdout.columns ?? COLUMNS) : lines
    this.context.stdout.write(visibleLines(shown))
  }

  /** True where somebody reads what is printed as it is printed. */
  protected get isTerminal(): boolean {
    return this.context.stdout.isTTY === true
  }

  /**
   * Asks whether something is to be destroyed, and resolves where the answer is yes. `isMeant` answers beforehand. Throws a
   * `CliError` where the answer is another, and where there is no terminal to ask at.
   */
  protected async confirm(question: string, isMeant: boolean): Promise<void> {
    const { stdin, stderr } = this.context
    if (isMeant) return
    if (!stdin.isTTY)
      throw new CliError(`${question} Nobody can be asked here, so nothing was done. Add --yes to do it.`)
    stderr.write(`${visible(question)} [y/N] `)
    const lines = createInterface({ input: stdin, terminal: false })
    // Ctrl-D ends the input, which is no yes.
    const [answer] = await Promise.race([once(lines, 'line'), once(lines, 'close').then(() => [''])])
    lines.close()
    if (!/^\s*y(es)?\s*$/i.test(String(answer))) throw new CliError('Nothing was done.')
  }

  /** The same for what scripts do without an option: asked is only somebody at a terminal. */
  protected async confirmAtTerminal(question: string, isMeant: boolean): Promise<void> {
    if (this.context.stdin.isTTY) await this.confirm(question, isMeant)
  }

  /** Writes lines to stderr, as `print` does. */
  protected warn(...lines: readonly string[]): void {
    this.context.stderr.write(visibleLines(lines))
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

  /**
   * Says what would be done with `preview`, and resolves to whether it is to be done: where that is meant, or somebody at the
   * terminal says so. Elsewhere it stays at what was said.
   */
  protected async confirmAfter(question: string, preview: readonly string[], isMeant: boolean): Promise<boolean> {
    if (isMeant) return true
    if (this.json || !this.context.stdin.isTTY) {
      if (!this.json) this.print(...preview.slice(0, -1), `${preview.at(-1)} Add --yes to do it.`)
      return false
    }
    this.print(...preview)
    await this.confirm(question, false)
    return true
  }

  /** Prints what was done or found: the document with `--json`, else the lines. */
  protected answer(document: unknown, ...lines: readonly string[]): void {
    if (this.json) this.printJson(document)
    else this.print(...lines)
  }
}

/** One that works on the ledger from the beginning to the end: it is open while `on` runs. */
export abstract class LedgerCommand extends AnsweringCommand {
  protected abstract on(ledger: OpenLedger): Promise<void>

  protected run(): Promise<void> {
    return this.withLedger((ledger) => this.on(ledger))
  }
}

/** Runs `work` on what is opened, and closes it again. */
export async function closing<O extends { close(): Promise<void> }, T>(
  opening: Promise<O>,
  work: (opened: O) => Promise<T>
): Promise<T> {
  const opened = await opening
  try {
    return await work(opened)
  } finally {
    await opened.close()
  }
}

async function liveRows(storage: Storage): Promise<ReadStore> {
  return storage.rows((await storage.head()).generation)
}

/** Throws a `UsageError` where a file or directory that is to be written has an empty name, as from a variable that is not set. */
export function requireName(path: string): void {
  if (path === '') throw new UsageError('The name of what is to be written is empty.')
}

/** A number of things in words: `1 token`, `2 tokens`. */
export function counted(count: number, thing: string, things = `${thing}s`): string {
  return `${count} ${count === 1 ? thing : things}`
}
