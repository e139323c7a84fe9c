import { existsSync } from 'node:fs'
import { keyFiles, madeKeys } from '../config/keys.js'
import { ConfigError } from '../config/load.js'
import { secretsIn } from '../config/print.js'
import type { HubConfig } from '../config/types.js'
import { searchFileOf } from '../followers/search/fileName.js'
import { faultOfKey } from '../lib/keyFile.js'
import { accessTimes } from './accessTimes.js'
import { type Check, type Finding, failed, finding, KEY_ADVICE, ok, warning } from './check.js'
import type { DoctorPorts } from './doctorPorts.js'
import { areMetricsOpen } from './metricsAccess.js'

/** The configuration file can be used. */
const configuration: Check<DoctorPorts> = {
  name: 'configuration',
  async run({ config, configPath }) {
    try {
      const found = config()
      if (!areMetricsOpen(found)) return ok(`${configPath} can be used.`)
      const advice = 'Set metrics.authToken, or metrics.enabled to false.'
      return [warning('Metrics can be read by everybody who reaches the hub.', advice)]
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      if (error.problems.length === 0)
        return [failed(error.message, 'Name the file with --config, or write one with `hub start --init`.')]
      const advice = 'Correct it there; server.yaml.example has every key.'
      return error.message.split('\n').map((text) => failed(text, advice))
    }
  }
}

/** What is secret can be read by its owner alone, and what the hub has to write it can. */
const files: Check<DoctorPorts> = {
  name: 'files',
  async run({ config, configPath, configText, isOpenToOthers, isWritable }) {
    const found = config()
    const holdsSecrets = secretsIn(found).some((secret) => configText().includes(secret))
    // Whether others can read that of webhooks is asked with them, by a hub that serves too.
    const keys = keyFiles(found).filter((path) => path !== found.webhooks?.keyFile)
    const secret = [...(holdsSecrets ? [configPath] : []), ...keys]
    const kept = [
      found.db.driver === 'sqlite' ? found.db.path : null,
      searchFileOf(found.db),
      found.logging.file ?? null
    ].filter((path) => path !== null)
    const findings = [
      ...secret.map((path) => opened(path, 'failed', 'holds secrets')),
      ...kept.map((path) => opened(path, 'warning', 'holds what users wrote'))
    ].filter(({ subject }) => subject !== undefined && isOpenToOthers(subject))
    for (const { file, what } of madeKeys(found)) {
      const fault = existsSync(file) && faultOfKey(file, what)
      if (fault) findings.push(failed(fault.message, KEY_ADVICE))
    }
    for (const subject of filesToWrite(found)) if (!(await isWritable(subject))) findings.push(unwritable(subject))
    return findings.length > 0 ? findings : ok('Secrets and data can be read by their owner alone.')
  }
}

function opened(subject: string, state: 'failed' | 'warning', what: string): Finding {
  const text = `It ${what}, and others than its owner can read or write it.`
  return finding(state, text, `Run chmod 600 ${subject}`, { subject })
}

function unwritable(subject: string): Finding {
  const advice = 'Let the account of the hub write to its folder, or name another file in the configuration.'
  return warning('This account cannot write it.', advice, { subject })
}

/** What a hub writes beside its database, and the keys that it makes where they are first needed. */
function filesToWrite(config: HubConfig): readonly string[] {
  const written = [config.logging.file, config.audit.checkpointFile].filter((path) => path !== undefined)
  return [...written, ...new Set(keyFiles(config).filter((path) => !existsSync(path)))]
}

/** How a hub is set up on this machine. */
export const SETUP: readonly Check<DoctorPorts>[] = [configuration, files, accessTimes]
