import type { Page } from 'playwright-core'
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

/** The same with a URL of its own, and where its form is. */
export async function aForm(team: Team, name: string, more: object = {}) {
  const request = await likeRefund(team, name, { url: 'https://api.example.com/v1', ...more })
  return { ...request, form: `${request.link}?edit=yes` }
}

/** A request as the hub has it. */
export const savedRequest = async ({ mara }: Team, id: string) =>
  (await mara.ask.request('GET', '/requests/{id}', { path: { id } })).body

export const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
export const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).last().click()
