import { REFUND } from './payments.js'
import { type Content, json, pair } from './records.js'
import type { People, Person } from './team.js'
import type { Timeline } from './timeline.js'

/** A request that three people have changed, the last of whom has broken it. */
export interface BrokenRequest {
  readonly id: string
  readonly name: string
  readonly versions: number
  /** The last version that was right, and the one whose URL is not. */
  readonly goodVersion: number
  readonly brokenVersion: number
  readonly goodUrl: string
  readonly brokenUrl: string
  readonly brokenBy: string
}

/** Where a request is. */
export interface Place {
  readonly id: string
  readonly collectionId: string
  readonly folderId: string
}

/** How "Refund" came to be broken: who wanted to change its amount lost a brace of its URL. */
export function breakRefund(timeline: Timeline, { mara, tomas, priya }: People, at: Promise<Place>) {
  const body = (amount: number) => json({ amount, currency: 'EUR', reason: 'requested_by_customer' })
  const keyed = {
    ...REFUND,
    headers: [...REFUND.headers, pair('Idempotency-Key', '{{$uuid}}')],
    comment: `${REFUND.comment}\nSend a key: a refund that is made twice is gone twice.`
  }
  const tested = {
    ...keyed,
    body: body(1250),
    postRequestScript: `hc.test('it is refunded', () => hc.expect(hc.response.status).toBe(201))`
  }
  const broken = { ...tested, url: '{{baseUrl}}/v1/charges/{{chargeId/refunds', body: body(990) }
  const change = (moment: string, { ask }: Person, content: Content) =>
    timeline.at(moment, async () => {
      const { id, ...place } = await at
      await ask.request('PUT', '/requests/{id}', { path: { id }, body: { ...content, ...place } })
    })
  void change('2026-03-02T09:40', priya, keyed)
  void change('2026-03-05T14:05', mara, tested)
  void change('2026-03-12T16:48', tomas, broken)
  return async (): Promise<BrokenRequest> => ({
    ...{ id: (await at).id, name: REFUND.name, versions: 4, goodVersion: 3, brokenVersion: 4 },
    ...{ goodUrl: REFUND.url, brokenUrl: broken.url, brokenBy: tomas.name }
  })
}

/** Ids of what is no more, each thing deleted by who had made it. */
export interface Deleted {
  /** A folder with two requests. */
  readonly folderId: string
  readonly requestId: string
  readonly environmentId: string
  readonly snippetId: string
}

/** Things that were made, and a day later are gone. */
export function deleteThings(timeline: Timeline, people: People, at: Promise<Place>): Promise<Deleted> {
  const { tomas, priya, mara } = people
  const made = timeline.at('2026-03-09T10:15', async () => {
    const { collectionId } = await at
    const path = { collectionId }
    const name = 'Old gateway'
    const folder = await tomas.ask.request('POST', '/collections/{collectionId}/folders', { path, body: { name } })
    const save = async (who: Person, content: Content, folderId: string | null) => {
      const body = { ...content, folderId }
      return (await who.ask.request('POST', '/collections/{collectionId}/requests', { path, body })).body.id
    }
    for (const name of ['Charge with the old gateway', 'Refund with the old gateway'])
      await save(tomas, { ...REFUND, name, url: 'https://old.payments.example/pay' }, folder.body.id)
    const environment = await priya.ask.request('POST', '/environments', { body: { name: 'Sandbox' } })
    const snippet = { name: 'Log everything', code: 'hc.log(hc.response)' }
    return {
      folderId: folder.body.id,
      requestId: await save(priya, { ...REFUND, name: 'Refund without a key' }, null),
      environmentId: environment.body.id,
      snippetId: (await mara.ask.request('POST', '/snippets', { body: snippet })).body.id
    }
  })
  const remove = (moment: string, { ask }: Person, path: Removable, id: (all: Deleted) => string) =>
    timeline.at(moment, async () => void (await ask.request('DELETE', path, { path: { id: id(await made) } })))
  void remove('2026-03-10T08:50', tomas, '/folders/{id}', ({ folderId }) => folderId)
  void remove('2026-03-10T10:25', priya, '/requests/{id}', ({ requestId }) => requestId)
  void remove('2026-03-11T11:10', priya, '/environments/{id}', ({ environmentId }) => environmentId)
  void remove('2026-03-13T14:05', mara, '/snippets/{id}', ({ snippetId }) => snippetId)
  return made
}

type Removable = '/folders/{id}' | '/requests/{id}' | '/environments/{id}' | '/snippets/{id}'
