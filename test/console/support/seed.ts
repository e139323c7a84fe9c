import type { ConsoleHub } from './hub.js'
import { ENVIRONMENTS, ONBOARDING, ONBOARDING_CONTENT, SEARCH, SEARCH_CONTENT, SNIPPETS } from './seed/others.js'
import { PAYMENTS, PAYMENTS_CONTENT, REFUND } from './seed/payments.js'
import { makeCollection, named } from './seed/records.js'
import { type BrokenRequest, breakRefund, type Deleted, deleteThings } from './seed/story.js'
import { makePeople, type People } from './seed/team.js'
import { Timeline } from './seed/timeline.js'
import { administer, shareRuns, useModels } from './seed/work.js'

export type { Person } from './seed/team.js'

/** What a seeded hub holds, as far as tests have to name it. */
export interface Team extends People {
  /** Ids of collections. */
  readonly payments: string
  readonly search: string
  readonly onboarding: string
  /** The folder of the request below. */
  readonly refunds: string
  readonly refund: BrokenRequest
  readonly deleted: Deleted
  /** The secret of an invitation that nobody has redeemed. */
  readonly invitation: string
}

/** The moment that the clock of a seeded hub stands at: a Friday afternoon. */
export const PRESENT = '2026-03-13T15:30:00.000Z'

/**
 * Fills a new hub with three weeks of a small team's work, through the interface that clients have: the same each time, but for
 * ids and secrets. Its clock stands at `PRESENT` then.
 */
export async function seed(hub: ConsoleHub): Promise<Team> {
  const people = await makePeople(hub)
  const { mara, tomas, priya } = people
  const timeline = new Timeline()
  const refund = timeline.at('2026-02-24T09:00', async () => {
    const { id: collectionId, folders } = await makeCollection(hub, mara, PAYMENTS_CONTENT, PAYMENTS)
    const { id: folderId, requests } = named(folders, 'Refunds')
    return { id: named(requests, REFUND.name), collectionId, folderId }
  })
  const search = timeline.at('2026-02-25T10:30', () => makeCollection(hub, tomas, SEARCH_CONTENT, SEARCH))
  const onboarding = timeline.at('2026-02-26T08:45', () => makeCollection(hub, priya, ONBOARDING_CONTENT, ONBOARDING))
  void timeline.at('2026-02-26T15:20', async () => {
    for (const { name, variables } of ENVIRONMENTS) {
      hub.clock.pass(7)
      const { id } = (await priya.ask.request('POST', '/environments', { body: { name } })).body
      await priya.ask.request('PUT', '/environments/{id}', { path: { id }, body: { name, variables } })
    }
  })
  void timeline.at('2026-02-27T09:30', async () => {
    for (const body of SNIPPETS) {
      hub.clock.pass(4)
      await tomas.ask.request('POST', '/snippets', { body })
    }
  })
  const broken = breakRefund(timeline, people, refund)
  const deleted = deleteThings(timeline, people, refund)
  const invitation = administer(timeline, people, refund)
  shareRuns(timeline, hub, people)
  useModels(timeline, hub, people)
  await timeline.run(hub)
  hub.clock.set(PRESENT)
  return {
    ...people,
    payments: (await refund).collectionId,
    search: (await search).id,
    onboarding: (await onboarding).id,
    refunds: (await refund).folderId,
    refund: await broken(),
    deleted: await deleted,
    invitation: await invitation
  }
}
