import { ConfigError } from '../config/load.js'
import type { HubConfig } from '../config/types.js'
import { searchFileOf } from '../search/fileName.js'
import { accessTimes } from './accessTimes.js'
import { type Check, type Finding, ok } from './check.js'
import type { DoctorPorts } from './doctorPorts.js'
import { areMetricsOpen } from './metricsAccess.js'

/** The configuration file can be used. */
const configuration: Check<DoctorPorts> = {
  name: 'configuration',
  async run({ config, configPath }) {
    try {
      const found = config()
      if (!areMetricsOpen(found)) return ok(`${configPath} can be used.`)
      return [
        {
          state: 'warning',
          text: 'Metrics can be read by everybody who reaches the hub.',
          advice: 'Set metrics.authToken, or metrics.enabled to false.'
        }
      ]
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      if (error.problems.length === 0)
        return [
          {
            state: 'failed',
            text: error.message,
            advice: 'Name the file with --config, or write one with `hub start --init`.'
          }
        ]
      return error.message
        .split('\n')
        .map((text) => ({ state: 'failed', text, advice: 'Correct it there; server.yaml.example has every key.' }))
    }
  }
}

/** What is secret can be read by its owner alone. */
const files: Check<DoctorPorts> = {
  name: 'files',
  async run({ config, configPath, configText, isOpenToOthers }) {
    const found = config()
    const holdsSecrets = secretsIn(found).some((secret) => configText().includes(secret))
    const secret = [...(holdsSecrets ? [configPath] : []), ...keyFiles(found)]
    const kept = [
      found.db.driver === 'sqlite' ? found.db.path : null,
      searchFileOf(found.db),
      found.logging.file ?? null
    ].filter((path) => path !== null)
    const findings = [
      ...secret.map((path) => opened(path, 'failed', 'holds secrets')),
      ...kept.map((path) => opened(path, 'warning', 'holds what users wrote'))
    ].filter(({ subject }) => isOpenToOthers(subject))
    return findings.length > 0 ? findings : ok('Secrets and data can be read by their owner alone.')
  }
}

function opened(subject: string, state: 'failed' | 'warning', what: string): Finding & { readonly subject: string } {
  return {
    subject,
    state,
    text: `It ${what}, and others than its owner can read or write it.`,
    advice: `Run chmod 600 ${subject}`
  }
}

function keyFiles({ db, audit }: HubConfig): readonly string[] {
  const { sealKeyFile, formerSealKeyFiles, checkpointKeyFile } = audit
  const account = db.driver === 'firestore' ? db.keyFilename : undefined
  return [account, sealKeyFile, ...formerSealKeyFiles, checkpointKeyFile].filter((path) => path !== undefined)
}

/** Every secret of a configuration, wherever it came from. */
function secretsIn(config: HubConfig): readonly string[] {
  const { redis, metrics, audit, storage } = config
  const tenants = Object.values(config.tenants)
  const databases = [
    config.db,
    ...Object.values(config.multitenancy.databases),
    ...tenants.flatMap(({ db }) => db ?? [])
  ]
  const llms = [config.llm, ...tenants.map(({ llm }) => llm)].flatMap((llm) => llm ?? [])
  const headers = [...llms.flatMap(({ mcp }) => mcp), ...(audit.witness ? [audit.witness] : [])].flatMap(
    (one) => one.headers
  )
  return [
    ...databases.map((db) => ('password' in db ? db.password : '')),
    redis.driver === 'redis' ? (redis.password ?? '') : '',
    ...llms.flatMap(({ providers }) => Object.values(providers).map(({ apiKey }) => apiKey)),
    metrics.authToken ?? '',
    storage.place?.secretAccessKey ?? '',
    ...headers.map(([, value]) => value)
  ].filter((secret) => secret !== '')
}

/** How a hub is set up on this machine. */
export const SETUP: readonly Check<DoctorPorts>[] = [configuration, files, accessTimes]
