import { webhooksTable } from '../../commands/webhooks/table.js'
import { deliveryStateKey, deliveryStateOf, failingNow } from '../followers/webhooks/deliveryState.js'
import { outdated } from '../ledger/rebuild.js'
import { ClockRefused, clockDoubt } from '../lib/clock.js'
import { keyIdOf } from '../log/chain.js'
import { type BlobsTrouble, BlobsUnavailable } from '../storage/storage.js'
import { keysAtHand, readKeyring } from '../trust/audit/sealKey.js'
import { verifyEnd } from '../trust/audit/verifyEnd.js'
import { type Check, detailOf, type Finding, failed, finding, ok, skipped, warning } from './check.js'
import type { ContentPorts } from './doctorPorts.js'
import { tenantDisks } from './probes.js'
import { failingTasks } from './tasks.js'
import { tokenEnds } from './tokenEnds.js'

const CHAIN_EVENTS = 10_000

/** The newest events of the log are as they were written. */
const chain: Check<ContentPorts> = {
  name: 'chain',
  isAboutContents: true,
  async run({ config, storage }) {
    const [log, { audit }] = [await storage(), config()]
    // A log that is yet to be sealed has no key.
    const keys = keyIdOf(await log.head()) === null ? keysAtHand(audit) : readKeyring(audit)
    const { from, position, bad } = await verifyEnd(log, CHAIN_EVENTS, keys)
    if (!bad) return ok(position === 0 ? 'The log is empty.' : `Events ${from} to ${position} hold.`)
    const text = `Event ${bad.position} does not hold. ${bad.reason}`
    return [failed(text, 'Stop the hub, keep a copy of the database, and run `hub audit verify`.')]
  }
}

/** The server is set up so that it keeps what a hub promises. */
const engine: Check<ContentPorts> = {
  name: 'engine',
  isAboutContents: true,
  async run({ storage }) {
    const opened = await storage()
    const all = await opened.circumstances()
    if (all.length === 0) return ok(`${await opened.version()} is set up as a hub needs it.`)
    return all.map(({ text, advice }) => finding(advice === undefined ? 'ok' : 'warning', text, advice))
  }
}

/** The read tables were built by the projectors of this version. */
const projections: Check<ContentPorts> = {
  name: 'projections',
  isAboutContents: true,
  async run({ storage }) {
    const tables = await outdated(await storage())
    if (tables.length === 0) return ok('The read tables are those of this version.')
    const text = `The read tables of another version are there: ${tables.join(', ')}.`
    return [failed(text, 'Run `hub migrate`, which builds them anew from the log.')]
  }
}

/** The time of this machine goes with that of the log. */
const clock: Check<ContentPorts> = {
  name: 'clock',
  isAboutContents: true,
  async run({ storage, now }) {
    const head = await (await storage()).head()
    const advice = 'Set the clock right and keep it so by NTP; if it is right, start with --accept-clock.'
    try {
      const doubt = clockDoubt(now(), head, false)
      return doubt === null ? ok('The clock goes with the log.') : [failed(doubt, advice)]
    } catch (error) {
      if (error instanceof ClockRefused) return [failed(error.message, advice)]
      throw error
    }
  }
}

/** Records are found by what they are now. */
const searchIndex: Check<ContentPorts> = {
  name: 'search',
  isAboutContents: true,
  async run({ storage, searchPosition }) {
    const position = await searchPosition()
    if (position === null) return skipped('No file has the search index: a hub that runs makes one for itself.')
    const behind = Math.max(0, (await (await storage()).head()).position - position)
    const text = `The search index is ${behind === 0 ? 'up to date' : `${behind} events behind`}.`
    return behind <= SEARCH_BEHIND_MAX ? ok(text) : [warning(text, BRING_FORWARD)]
  }
}

const SEARCH_BEHIND_MAX = 1000
const BRING_FORWARD =
  'A hub that runs brings it forward. Where it stays behind, see its log and metrics, and whether the disk has room.'

/** The bucket of images answers, and takes the key. Whether a hub is ready does not depend on it. */
const images: Check<ContentPorts> = {
  name: 'images',
  isAboutContents: true,
  async run({ config, storage }) {
    const { driver, place } = config().storage
    if (!place) return skipped('Images are in the database.')
    const { blobs } = await storage()
    try {
      await blobs.list('', 1)
    } catch (error) {
      if (!(error instanceof BlobsUnavailable)) throw error
      return [failed(error.message, BUCKET_ADVICE[error.why], { detail: detailOf(error) })]
    }
    return ok(
      driver === 's3'
        ? `The bucket ${place.bucket} answers.`
        : `Images are in the database, and may be in the bucket ${place.bucket}, which answers.`
    )
  }
}

const BUCKET_ADVICE: Readonly<Record<BlobsTrouble, string>> = {
  silent: 'See that it runs, that this machine may reach it, and that storage.endpoint is right.',
  refused:
    'See that storage has a valid accessKeyId and secretAccessKey, which may list, read, write and delete below the prefix, and that the clock is right.',
  noBucket: 'Make the bucket, or name the right one in storage.bucket.',
  elsewhere: 'Set storage.region and storage.endpoint to where the bucket is.'
}

const HOUR_MS = 3_600_000

/** Webhooks are delivered: none was switched off by the hub, or has failed for hours; and their key is nobody else's. */
const webhooks: Check<ContentPorts> = {
  name: 'webhooks',
  isAboutContents: true,
  async run({ config, storage, isOpenToOthers, now }) {
    const settings = config().webhooks
    if (!settings) return skipped('No webhooks are configured.')
    const findings: Finding[] = []
    if (isOpenToOthers(settings.keyFile))
      findings.push(
        failed(
          'The key of webhooks can be read by others.',
          `Run chmod 600 ${settings.keyFile}, and rotate the secrets.`
        )
      )
    const { rows, head, state } = await storage()
    const all = await rows((await head()).generation).list(webhooksTable, 'byAge', [])
    for (const row of all) {
      const subject = row.id
      if (!row.isEnabled) {
        if (row.disabledReason === 'requested') continue
        const text = `The hub has switched it off (${row.disabledReason}).`
        const advice = `See \`hub webhook deliveries ${row.id}\`, then run \`hub webhook enable ${row.id}\`.`
        findings.push(warning(text, advice, { subject }))
        continue
      }
      const failing = failingNow(deliveryStateOf(row, await state.get(deliveryStateKey(row.id))), row)
      if (!failing || now() - failing.since < HOUR_MS) continue
      const text = `It has failed since ${new Date(failing.since).toISOString()}.`
      findings.push(warning(text, `See \`hub webhook deliveries ${row.id}\`.`, { subject }))
    }
    return findings.length > 0
      ? findings
      : ok(`${all.length === 1 ? '1 webhook' : `${all.length} webhooks`}, none with trouble.`)
  }
}

/** What a hub does again and again in the background works: nothing has failed more than once in a row. */
const tasks: Check<ContentPorts> = {
  name: 'tasks',
  isAboutContents: true,
  async run({ storage }) {
    const { state } = await storage()
    const failing = Object.entries(await failingTasks(state)).filter(([, { times }]) => times > 1)
    if (failing.length === 0) return ok('No regular task has failed again and again.')
    return failing.map(([subject, { times, since, why }]) => ({
      subject,
      state: 'warning',
      text: `This task has failed ${times} times in a row, since ${since}.`,
      detail: why,
      advice:
        'See the log of the hub. A file that another account made, as root may have, is given to that of the hub by chown.'
    }))
  }
}

/** What is in the database, as far as a hub that serves can look at it from time to time. */
export const LIGHT_CONTENTS: readonly Check<ContentPorts>[] = [
  projections,
  clock,
  searchIndex,
  images,
  webhooks,
  tasks,
  tenantDisks
]
/** What is in the database, beyond what decides whether a hub can serve. */
export const CONTENTS: readonly Check<ContentPorts>[] = [engine, chain, ...LIGHT_CONTENTS, tokenEnds]
