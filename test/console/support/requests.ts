import type { Team } from './seed.js'

/** Makes a request that is as "Refund" is but for its name and what else is given. */
export async function likeRefund({ mara, refund }: Team, name: string, more: object = {}) {
  const { body } = await mara.ask.request('GET', '/requests/{id}', { path: { id: refund.id } })
  const { id, collectionId, ...content } = body
  const made = await mara.ask.request('POST', '/collections/{collectionId}/requests', {
    ...{ path: { collectionId }, body: { ...content, name, ...more } }
  })
  return { ...made.body, link: `#/collections/${collectionId}/requests/${made.body.id}` }
}
