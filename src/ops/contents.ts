import { readKeyring } from '../audit/sealKey.js'
import { verifyEnd } from '../audit/verifyEnd.js'
import { ClockRefused, clockDoubt } from '../clock.js'
import { outdated } from '../rebuild.js'
import { type Check, type Finding, ok } from './check.js'
import type { ContentPorts } from './doctorPorts.js'
import { images } from './imagesCheck.js'
import { tasks } from './tasksCheck.js'
import { webhooks } from './webhookCheck.js'

const CHAIN_EVENTS = 10_000

/** The newest events of the log are as they were written. */
const chain: Check<ContentPorts> = {
  name: 'chain',
  isAboutContents: true,
  async run({ config, storage }) {
    const { from, position, bad } = await verifyEnd(await storage(), CHAIN_EVENTS, readKeyring(config().audit))
    if (!bad) return ok(position === 0 ? 'The log is empty.' : `Events ${from} to ${position} hold.`)
    const text = `Event ${bad.position} does not hold. ${bad.reason}`
    return [{ state: 'failed', text, advice: 'Stop the hub, keep a copy of the database, and run `hub audit verify`.' }]
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
    return [{ state: 'failed', text, advice: 'Run `hub migrate`, which builds them anew from the log.' }]
  }
}

/** The time of this machine goes with that of the log. */
const clock: Check<ContentPorts> = {
  name: 'clock',
  isAboutContents: true,
  async run({ storage, now }) {
    const head = await (await storage()).head()
    const doubt = doubtOf(() => clockDoubt(now(), head, false))
    return doubt === null ? ok('The clock goes with the log.') : [doubt]
  }
}

function doubtOf(compare: () => string | null): Finding | null {
  const advice = 'Set the clock right and keep it so by NTP; if it is right, start with --accept-clock.'
  try {
    const text = compare()
    return text === null ? null : { state: 'failed', text, advice }
  } catch (error) {
    if (error instanceof ClockRefused) return { state: 'failed', text: error.message, advice }
    throw error
  }
}

/** Records are found by what they are now. */
const searchIndex: Check<ContentPorts> = {
  name: 'search',
  isAboutContents: true,
  async run({ storage, searchPosition }) {
    const position = await searchPosition()
    if (position === null)
      return [{ state: 'skipped', text: 'No file has the search index: a hub that runs makes one for itself.' }]
    const behind = Math.max(0, (await (await storage()).head()).position - position)
    const text = `The search index is ${behind === 0 ? 'up to date' : `${behind} events behind`}.`
    return behind <= SEARCH_BEHIND_MAX ? ok(text) : [{ state: 'warning', text, advice: BRING_FORWARD }]
  }
}

const SEARCH_BEHIND_MAX = 1000
const BRING_FORWARD =
  'A hub that runs brings it forward. Where it stays behind, see its log and metrics, and whether the disk has room.'

/** What is in the database, as far as a hub that serves can look at it from time to time. */
export const LIGHT_CONTENTS: readonly Check<ContentPorts>[] = [projections, clock, searchIndex, images, webhooks, tasks]
/** What is in the database, beyond what decides whether a hub can serve. */
export const CONTENTS: readonly Check<ContentPorts>[] = [chain, ...LIGHT_CONTENTS]
