import { existsSync } from 'node:fs'
import { Option } from 'clipanion'
import { ACCESS_LISTS } from '../../commands/people/user/events.js'
import { requireTakenOver } from '../../migrations/legacy.js'
import { ensureFirstAdmin, type FirstAdmin, isSetUp, migrateDatabase } from '../../src/app/start.js'
import { writeFirstConfig } from '../../src/config/first.js'
import { ConfigError } from '../../src/config/load.js'
import { startWarnings } from '../../src/config/startWarnings.js'
import type { HubConfig } from '../../src/config/types.js'
import { HubCommand, usage } from '../lib/command.js'
import { errorLines } from '../lib/errors.js'
import { stopped } from '../lib/signals.js'
import { rebuildOutdated } from './migrate.js'
import type { Serving } from './serve.js'

export class StartCommand extends HubCommand {
  static override readonly usage = usage('start', {
    description: 'Serve until SIGINT or SIGTERM',
    details: `
      The database must have been set up by \`hub migrate\`; what an earlier version has left is brought forward first.

      With \`--init\` nothing must be: where there is no configuration file one is written, the database is set up,
      and where there is no account yet, an administrator is made whose token is shown once.
    `,
    examples: [
      ['The first time', '$0 start --init'],
      ['With a configuration elsewhere', '$0 start --config /etc/hub/server.yaml']
    ]
  })

  override readonly acceptClock = Option.Boolean('--accept-clock', false, {
    description: 'Start though the clock is more than a year ahead of the log: it is right'
  })
  /** It serves all of them. */
  override readonly tenant = undefined
  readonly init = Option.Boolean('--init', false, { description: 'Set up what is missing first' })

  protected async run(): Promise<void> {
    // Until it serves there is nothing to reload or to reopen: these would end a process by themselves.
    const ignored = () => {}
    process.on('SIGHUP', ignored).on('SIGUSR2', ignored)
    try {
      await this.#start()
    } finally {
      process.off('SIGHUP', ignored).off('SIGUSR2', ignored)
    }
  }

  async #start(): Promise<void> {
    const { configPath } = this.context
    if (this.init && !existsSync(configPath)) {
      writeFirstConfig(configPath)
      this.print(`Wrote ${configPath}.`)
    }
    this.requireConfig()
    const { config, warnings } = this.load()
    for (const warning of [...warnings, ...startWarnings(config)]) this.warn(`Warning: ${warning}`)
    if (this.init || (await isSetUp(config))) await this.#bringForward(config)
    await requireTakenOver(config)
    await this.#serve()
  }

  async #serve(): Promise<void> {
    // Loaded only here: the other commands need no server, and start the faster for it.
    const { serve } = await import('./serve.js')
    const load = () => this.load()
    const { stdout: terminal } = this.context
    const serving = await serve({ load, terminal, acceptClock: this.acceptClock })
    const reopen = () => serving.reopenLog()
    const reload = () => {
      reopen()
      void this.#reload(serving)
    }
    process.on('SIGHUP', reload).on('SIGUSR2', reopen)
    try {
      await Promise.all([stopped(() => serving.close(), this.context.stderr, serving.over), this.#welcome(serving)])
    } finally {
      process.off('SIGHUP', reload).off('SIGUSR2', reopen)
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
      const { sections: known, others = [], fatalError } = await live.reload()
      if (fatalError !== undefined) throw new ConfigError(fatalError)
      const sections = [...known, ...others]
      this.print(
        `Collections Hub config reloaded (${sections.map((one) => `${one.section}: ${one.status}`).join(', ')}).`
      )
      for (const { section, error } of sections) if (error) this.warn(`${section}: ${error}`)
    } catch (error) {
      const [what, ...more] = errorLines(error, this.context.verbose)
      this.warn(`Collections Hub config reload failed: ${what}`, ...more)
    }
  }

  async #welcome({ live, url }: Serving): Promise<void> {
    const { config, ledger } = live.hub
    const { server, redis, console } = config
    const { publicUrl } = server
    this.print(`Collections Hub listening on ${url}${publicUrl === undefined ? '' : `, for others at ${publicUrl}`}`)
    if (console) this.print(`The console is at ${publicUrl ?? url}/console/`)
    if (redis.driver === 'memory')
      this.print('Failed authentications are counted in this process only (redis.driver is memory).')
    // Only once it listens: a start that fails must not use up the one time that the secret is shown.
    const admin = this.init ? await ensureFirstAdmin(ledger, config.tokens) : null
    if (admin) this.print('', ...firstSteps(url, admin))
  }
}

const JSON_TYPE = `-H 'Content-Type: application/json'`
const EVERYTHING = ACCESS_LISTS.map((list) => `"${list}":["*"]`).join(',')

/** What takes the secret, and the id of alice, out of an answer. */
const SECRET = `sed -n 's/.*"secret":"\\([^"]*\\)".*/\\1/p'`
const ALICE_ID = `sed -n 's/.*"id":"\\([^"]*\\)","name":"alice".*/\\1/p'`

/**
 * What to try on a new hub, as lines that work when they are pasted into bash, zsh or another POSIX shell one after another, and
 * again, also into another terminal: a token that works is kept, else alice gets a new one, who is made once.
 */
export function firstSteps(url: string, { name, secret }: FirstAdmin): readonly string[] {
  const as = (variable: string) => `-H "Authorization: Bearer $${variable}"`
  const users = `curl -s "$HUB_URL/admin/users`
  const admin = as('HUB_ADMIN')
  return [
    `Created the administrator "${name}". Store its token, HUB_ADMIN below, now; it will not be shown again.`,
    'To try the hub, paste these lines into another terminal:',
    '',
    `HUB_URL=${url}`,
    `HUB_ADMIN=${secret}`,
    `curl -s "$HUB_URL/health"; echo`,
    `curl -s "$HUB_URL/auth/session" ${admin}; echo`,
    `if [ -z "\${HUB_USER:-}" ] || ! curl -sfo /dev/null "$HUB_URL/auth/session" ${as('HUB_USER')}; then`,
    `HUB_USER=$(${users}" ${admin} ${JSON_TYPE} -d '{"name":"alice","role":"user",${EVERYTHING}}' | ${SECRET}); fi`,
    `if [ -z "$HUB_USER" ]; then ALICE=$(${users}" ${admin} | ${ALICE_ID})`,
    `HUB_USER=$(${users}/$ALICE/tokens" ${admin} ${JSON_TYPE} -d '{"name":"another terminal"}' | ${SECRET}); fi`,
    `echo "$HUB_USER"`,
    `curl -s "$HUB_URL/collections" ${as('HUB_USER')} ${JSON_TYPE} -d '{"name":"First collection"}'; echo`,
    ''
  ]
}
