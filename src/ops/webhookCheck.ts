import { webhooksTable } from '../../projections/webhooks.js'
import { failingNow, standingKey, standingOf } from '../webhooks/standing.js'
import { type Check, type Finding, ok } from './check.js'
import type { ContentPorts } from './doctorPorts.js'

const HOUR_MS = 3_600_000

/** Webhooks are delivered: none was switched off by the hub, or has failed for hours; and their key is nobody else's. */
export const webhooks: Check<ContentPorts> = {
  name: 'webhooks',
  isAboutContents: true,
  async run({ config, storage, isOpenToOthers, now }) {
    const settings = config().webhooks
    if (!settings) return [{ state: 'skipped', text: 'No webhooks are configured.' }]
    const findings: Finding[] = []
    if (isOpenToOthers(settings.keyFile))
      findings.push({
        state: 'failed',
        text: 'The key of webhooks can be read by others.',
        advice: `Run chmod 600 ${settings.keyFile}, and rotate the secrets.`
      })
    const { rows, head, state } = await storage()
    const all = await rows((await head()).generation).list(webhooksTable, 'byAge', [])
    for (const row of all) {
      const subject = row.id
      if (!row.isEnabled) {
        if (row.disabledReason === 'requested') continue
        const text = `The hub has switched it off (${row.disabledReason}).`
        const advice = `See \`hub webhook deliveries ${row.id}\`, then run \`hub webhook enable ${row.id}\`.`
        findings.push({ subject, state: 'warning', text, advice })
        continue
      }
      const failing = failingNow(standingOf(row, await state.get(standingKey(row.id))), row)
      if (!failing || now() - failing.since < HOUR_MS) continue
      const text = `It has failed since ${new Date(failing.since).toISOString()}.`
      findings.push({ subject, state: 'warning', text, advice: `See \`hub webhook deliveries ${row.id}\`.` })
    }
    return findings.length > 0
      ? findings
      : ok(`${all.length === 1 ? '1 webhook' : `${all.length} webhooks`}, none with trouble.`)
  }
}
