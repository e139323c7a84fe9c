import type { Recorder } from '../checking/recorder.js'
import type { Database } from './database.js'
import type { Fault, Faults } from './faults.js'
import type { HubPlace } from './hubs.js'
import type { Random } from './random.js'
import type { Owner, Scheduler } from './scheduler.js'

export interface Nemesis {
  readonly scheduler: Scheduler
  readonly random: Random
  readonly faults: Faults
  readonly database: Database
  readonly places: readonly [HubPlace, ...HubPlace[]]
  readonly recorder: Recorder
  readonly owner: Owner
}

const PAUSE_MAX_MS = 200
const AWAY_MAX_MS = 3000
const STOPPED_MAX_MS = 4000
/** A run in which everything stands still again and again would only be long. */
const HITS_MAX = 30
const DOWN_MAX_MS = 1000
/** Less than an hour: what lasts longer than a run still lasts. */
const SKEW_MAX_MS = 3_000_000
/** What holds up all hubs for long comes seldom: nothing else happens meanwhile. */
const FOR_ALL = 0.08
/** A hub is hit before one of so many of its next steps. */
const STEPS_MAX = 25

/** Does something to the hubs or the database, again and again. */
export function harass(nemesis: Nemesis): void {
  const { scheduler, random, faults, owner } = nemesis
  const kinds = (Object.keys(DOING) as (keyof typeof DOING)[]).filter((kind) => faults.kinds.has(kind))
  let left = HITS_MAX
  const next = () =>
    scheduler.at(owner, random.below(PAUSE_MAX_MS), 'something happens', () => {
      const kind = kinds[random.below(kinds.length)]
      if (!faults.isOn || !kind || left-- === 0) return
      DOING[kind](nemesis, () => {
        faults.count(kind)
        nemesis.recorder.fault(kind)
      })
      next()
    })
  if (kinds.length > 0) next()
}

type Doing = (nemesis: Nemesis, happened: () => void) => void

/** Before one of the next steps of a hub, whichever it is. */
const beforeStep =
  (what: (nemesis: Nemesis, place: HubPlace) => void): Doing =>
  (nemesis, happened) => {
    const place = nemesis.random.pick(nemesis.places)
    const { owner } = place
    if (owner.fate) return
    const run = () => {
      if (!nemesis.faults.isOn) return
      happened()
      what(nemesis, place)
    }
    owner.fate = { stepsLeft: nemesis.random.below(STEPS_MAX), run }
  }

const DOING: Readonly<Record<Extract<Fault, 'torn' | 'away' | 'full' | 'killed' | 'paused' | 'clock'>, Doing>> = {
  torn: beforeStep(({ database }, place) => database.tear(place.owner)),
  killed: beforeStep(({ scheduler, random, owner }, place) => {
    place.kill()
    scheduler.at(owner, random.below(DOWN_MAX_MS), `${place.name} starts again`, () => place.start())
  }),
  paused: beforeStep(({ scheduler, random }, { owner }) => {
    owner.pausedUntil_ms = scheduler.now_ms + random.below(STOPPED_MAX_MS)
  }),
  clock: beforeStep(({ random }, { owner }) => {
    owner.skew_ms = random.below(2 * SKEW_MAX_MS) - SKEW_MAX_MS
  }),
  away: ({ scheduler, random, database, owner }, happened) => {
    if (!random.chance(FOR_ALL)) return
    happened()
    database.isAway = true
    scheduler.at(owner, random.below(AWAY_MAX_MS), 'the database is back', () => {
      database.isAway = false
    })
  },
  full: ({ scheduler, random, database, owner }, happened) => {
    if (!random.chance(FOR_ALL)) return
    happened()
    database.isFull = true
    scheduler.at(owner, random.below(AWAY_MAX_MS), 'the disk has room', () => {
      database.isFull = false
    })
  }
}
