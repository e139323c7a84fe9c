import { existsSync } from 'node:fs'
import { Command, Option } from 'clipanion'
import { writeFirstConfig } from '../src/config/first.js'
import { ConfigError, loadConfig } from '../src/config/load.js'
import type { HubConfig } from '../src/config/types.js'
import { requireTakenOver } from '../src/legacy.js'
import { ensureFirstAdmin, isSetUp, migrateDatabase } from '../src/start.js'
import { HubCommand } from './command.js'
import { errorLines } from './errors.js'
import { firstSteps } from './first-steps.js'
import { rebuildOutdated } from './rebuild-outdated.js'
import type { Serving } from './serve.js'
import { stopped } from './signals.js'

/** `hub start`: serves until SIGINT or SIGTERM. */
export class StartCommand extends HubCommand {
  static override readonly paths = [['start']]
  static override readonly usage = Command.Usage({
    category: 'Server',
    description: 'Serve until SIGINT or SIGTERM',
    details: `
      The database must have been set up by \`hub migrate\`; what an earlier version has left is brought forward first.

      With \`--init\` nothing must be: where there is no configuration file one is written, the database is set up,
      and where there is no account yet, an administrator is made whose token is shown once.
    `
  })

  override readonly acceptClock = Option.Boolean('--accept-clock', false, {
    description: 'Start though the clock is more than a year ahead of the log: it is right'
  })
  readonly init = Option.Boolean('--init', false, { description: 'Set up what is missing first' })

  protected async run(): Promise<void> {
    if (this.init) this.#writeConfig()
    else this.#requireConfig()
    const config = this.config()
    if (this.init || (await isSetUp(config))) await this.#bringForward(config)
    await requireTakenOver(config)
    // Loaded only here: the other commands need no server, and start the faster for it.
    const { serve } = await import('./serve.js')
    const load = () => loadConfig(this.context.configPath, this.context.env)
    const serving = await serve(load, this.context.stdout, this.acceptClock)
    const reload = () => void this.#reload(serving)
    process.on('SIGHUP', reload)
    try {
      await Promise.all([stopped(serving.close, this.context.stderr, serving.superseded), this.#welcome(serving)])
    } finally {
      process.off('SIGHUP', reload)
      await serving.close()
    }
  }

  async #bringForward(config: HubConfig): Promise<void> {
    const applied = await migrateDatabase(config, this.host.notice)
    const rebuilt = await rebuildOutdated(config, this.context.stderr, this.host)
    if (rebuilt !== null) this.print(rebuilt)
    if (applied.length > 0 || rebuilt !== null) this.print('Database migration completed successfully.')
  }

  async #reload({ live }: Serving): Promise<void> {
    try {
      const { sections, fatalError } = await live.reload()
      if (fatalError !== undefined) throw new ConfigError(fatalError)
      this.print(
        `Collections Hub config reloaded (${sections.map((one) => `${one.section}: ${one.status}`).join(', ')}).`
      )
      for (const { section, error } of sections) if (error) this.warn(`${section}: ${error}`)
    } catch (error) {
      const [what, ...more] = errorLines(error, this.context.verbose)
      this.warn(`Collections Hub config reload failed: ${what}`, ...more)
    }
  }

  async #welcome({ live: { hub }, url }: Serving): Promise<void> {
    this.print(`Collections Hub listening on ${url}`)
    if (hub.config.redis.driver === 'memory')
      this.print('Failed authentications are counted in this process only (redis.driver is memory).')
    // Only once it listens: a start that fails must not use up the one time that the secret is shown.
    const admin = this.init ? await ensureFirstAdmin(hub.ledger) : null
    if (admin) this.print('', ...firstSteps(url, admin))
  }

  #writeConfig(): void {
    const { configPath } = this.context
    if (existsSync(configPath)) return
    writeFirstConfig(configPath)
    this.print(`Wrote ${configPath}.`)
  }

  #requireConfig(): void {
    const { configPath } = this.context
    if (existsSync(configPath)) return
    throw new ConfigError(
      `Config file not found: ${configPath}\nRun \`hub start --init\` to write one and start with it.`
    )
  }
}
