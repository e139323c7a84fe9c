import { z } from 'zod'
import type { LoadedConfig } from '../config/load.js'
import type { ReloadReport } from '../reload.js'
import type { ChoresDone } from './choresDone.js'

/** Who follows the feed of changes of one tenant, in one process. */
export interface FollowersOfTenant {
  readonly tenant: string
  readonly count: number
  /** Since when the first of them does, in milliseconds. */
  readonly oldest: number | null
}

/** What one process knows of how the hub stands, and the others do not. */
export interface Standing {
  readonly followers: readonly FollowersOfTenant[]
  readonly done: Readonly<ChoresDone>
}

/** What became of the configuration file in one process, and what is in force there from then on. */
export interface Reread {
  readonly report: ReloadReport
  readonly loaded: LoadedConfig
}

/** What processes that serve one hub ask each other, and what they answer. */
export interface PeerAnswers {
  /** The metrics, as Prometheus reads them. */
  readonly metrics: string
  readonly standing: Standing
  readonly reread: Reread
  /** Asked of one of them, which has all read the configuration file again. */
  readonly reload: ReloadReport
}

export type PeerQuestion = keyof PeerAnswers

/** How a question is answered here. */
export type Answerers = { [Q in PeerQuestion]?: () => Promise<PeerAnswers[Q]> }

/** What an answer has to look like that another process of the same program has sent. */
export const peerAnswers: { readonly [Q in PeerQuestion]: z.ZodType<PeerAnswers[Q]> } = {
  metrics: z.string(),
  standing: z.custom<Standing>(isObject),
  reread: z.custom<Reread>(isObject),
  reload: z.custom<ReloadReport>(isObject)
}

/** The processes that serve one hub on one machine, of which this is one. */
export interface Peers {
  /** Which of them this is, from 1; null where there is no other. */
  readonly number: number | null
  readonly count: number
  /** From now on a question is answered so. */
  answer<Q extends PeerQuestion>(question: Q, give: NonNullable<Answerers[Q]>): void
  /** What all answer, this one among them. Who cannot answer, or not in time, is left out; rejects where nobody can. */
  ask<Q extends PeerQuestion>(question: Q): Promise<readonly PeerAnswers[Q][]>
}

/** A process that serves its hub alone. */
export function alone(): Peers {
  const answerers: Answerers = {}
  return {
    number: null,
    count: 1,
    answer(question, give) {
      answerers[question] = give
    },
    async ask(question) {
      const give = answerers[question]
      return give ? [await give()] : []
    }
  }
}

/** Who follows the feed of a tenant in all processes together. */
export function followersOf(
  { id }: { readonly id: string },
  standings: readonly Standing[]
): Pick<FollowersOfTenant, 'count' | 'oldest'> {
  const own = standings.flatMap(({ followers }) => followers.filter(({ tenant }) => tenant === id))
  const times = own.flatMap(({ oldest }) => oldest ?? [])
  return {
    count: own.reduce((sum, { count }) => sum + count, 0),
    oldest: times.length === 0 ? null : Math.min(...times)
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
