import { readFileSync } from 'node:fs'
import { Option } from 'clipanion'
import { z } from 'zod'
import { openStorageToRead } from '../../src/app/databases.js'
import { advisedOn } from '../../src/app/hub.js'
import { ConfigError } from '../../src/config/load.js'
import { configText } from '../../src/config/print.js'
import { startWarnings } from '../../src/config/startWarnings.js'
import type { HubConfig } from '../../src/config/types.js'
import { modelWarnings } from '../../src/llm/catalog.js'
import { areMetricsServed } from '../../src/ops/metricsAccess.js'
import { closing, HubCommand, usage } from '../lib/command.js'

export class ConfigCheckCommand extends HubCommand {
  static override readonly usage = usage('config check', {
    description: 'Tell every problem of the configuration file and the environment; exit 1 if there is one',
    details: 'Nothing is connected to, but with --connect the database. Warnings are no problems, but should be known.',
    examples: [
      ['Before a reload', '$0 config check --config /etc/hub/server.yaml'],
      ['With what the database says of itself', '$0 config check --connect']
    ]
  })

  readonly connect = Option.Boolean('--connect', false, {
    description: 'Also ask the database what it is, and whether it keeps what a hub promises'
  })

  /** It is about no log. */
  override readonly tenant = undefined

  protected async run(): Promise<void> {
    const { configPath } = this.context
    try {
      const { config, warnings } = this.load()
      requireFreePath(config, configPath)
      const advised = this.connect ? await closing(openStorageToRead(config.db), advisedOn) : []
      const all = [...warnings, ...startWarnings(config), ...modelWarnings(config), ...advised]
      this.warn(...all.map((text) => `Warning: ${text}`))
      this.print(`${configPath}: no problems${all.length === 0 ? '' : `, warnings: ${all.length}`}.`)
    } catch (error) {
      if (error instanceof ConfigError) this.warn(...error.warnings.map((text) => `Warning: ${text}`))
      throw error
    }
  }
}

export class ConfigPrintCommand extends HubCommand {
  static override readonly usage = usage('config print', {
    description: 'Print the configuration in force as YAML: file, environment and defaults; secrets are hidden',
    examples: [['To read it', '$0 config print']]
  })

  protected async run(): Promise<void> {
    this.print(...configText(this.config()).trimEnd().split('\n'))
  }
}

// The pages of the package, from the folder of this file in dist.
const SCHEMA = new URL('../../../docs/server.schema.json', import.meta.url)
const OPENAPI = new URL('../../../docs/openapi.json', import.meta.url)

const USUAL_METRICS = '/metrics'
const described = z.object({ paths: z.record(z.string(), z.object({ get: z.unknown().optional() })) })

/** Throws a `ConfigError` where the metrics would be at a path of the hub's own: it would not start. */
function requireFreePath(config: HubConfig, file: string): void {
  const { path } = config.metrics
  if (path === USUAL_METRICS || !areMetricsServed(config)) return
  const { paths } = described.parse(JSON.parse(readFileSync(OPENAPI, 'utf8')))
  if (paths[path]?.get)
    throw new ConfigError(`${file}: metrics.path: ${path} is a path of the hub's own. Choose another one.`)
}

export class ConfigSchemaCommand extends HubCommand {
  static override readonly usage = usage('config schema', {
    description: 'Print the JSON Schema of server.yaml, for editors',
    examples: [['For an editor', '$0 config schema > server.schema.json']]
  })

  /** It is about no log. */
  override readonly tenant = undefined

  protected async run(): Promise<void> {
    this.printDocument(JSON.parse(readFileSync(SCHEMA, 'utf8')), 2)
  }
}
