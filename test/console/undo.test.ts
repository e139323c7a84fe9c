import * as assert from 'uvu/assert'
import { connectHub } from '../../clients/typescript/src/index.js'
import { looksWellOnBoth } from './support/looks.js'
import type { Team } from './support/seed.js'
import { seededSuite } from './support/seeded.js'

const { test, run, team } = seededSuite('taking back in the console what was done')
const admin = () => ({ token: team.grace.token })
const names = async () =>
  (await team.mara.ask.request('GET', '/snippets')).body.snippets.map(({ name }) => name).toSorted()

/** A token of an account that has made a snippet, changed another one, and made one that somebody else has changed since. */
async function vandal({ url }: { readonly url: string }, name: string) {
  const { secret } = (
    await team.grace.ask.request('POST', '/admin/users/{id}/tokens', { path: { id: team.tomas.id }, body: { name } })
  ).body
  const ask = connectHub({ url, token: secret })
  const make = async (as: Team['mara']['ask'], title: string) =>
    (await as.request('POST', '/snippets', { body: { name: title, code: '1', scope: 'any' } })).body
  const rename = async (as: Team['mara']['ask'], id: string, title: string) => {
    const body = { name: title, code: '1', scope: 'any' as const }
    await as.request('PUT', '/snippets/{id}', { path: { id }, body })
  }
  const { id } = await make(team.mara.ask, `${name}: before`)
  await rename(ask, id, `${name}: after`)
  await make(ask, `${name}: junk`)
  const kept = await make(ask, `${name}: kept`)
  await rename(team.mara.ask, kept.id, `${name}: built on`)
  return { id, ask }
}

test('what a token did is shown, taken back, and that taken back', async ({ open, hub }) => {
  const name = 'lost'
  const mine = async () => (await names()).filter((one) => one.startsWith(`${name}:`))
  await vandal(hub, name)
  const page = await open(`#/people/${team.tomas.id}`, admin())
  await page.getByRole('button', { name: `Undo what ${name} of`, exact: false }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('2 records would be changed. Nothing is yet.').waitFor()
  await dialog.getByRole('list', { name: 'Stays as it is' }).getByText('somebody has changed it since').waitFor()
  await looksWellOnBoth(page, 'undo')
  assert.equal(await mine(), [`${name}: after`, `${name}: built on`, `${name}: junk`])
  await dialog.getByRole('button', { name: 'Undo', exact: true }).click()
  await dialog.getByText('2 records changed.').waitFor()
  await looksWellOnBoth(page, 'undone')
  assert.equal(await mine(), [`${name}: before`, `${name}: built on`])
  await dialog.getByRole('button', { name: 'Take that back…' }).click()
  await dialog.getByRole('list', { name: 'Comes back' }).getByText(`${name}: junk`).waitFor()
  await dialog.getByRole('button', { name: 'Undo', exact: true }).click()
  await dialog.getByText('2 records changed.').waitFor()
  assert.equal(await mine(), [`${name}: after`, `${name}: built on`, `${name}: junk`])
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
})

test('what a token does after the plan was shown stays', async ({ open, hub }) => {
  const { id, ask } = await vandal(hub, 'going on')
  const page = await open('#/tokens', admin())
  await page.getByRole('button', { name: 'Undo what going on of', exact: false }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('2 records would be changed.', { exact: false }).waitFor()
  await dialog.getByRole('combobox', { name: 'How far back' }).selectOption('What it did today')
  await dialog.getByText('2 records would be changed.', { exact: false }).waitFor()
  const body = { name: 'going on: meanwhile', code: '1', scope: 'any' as const }
  await ask.request('PUT', '/snippets/{id}', { path: { id }, body })
  await dialog.getByRole('button', { name: 'Undo', exact: true }).click()
  await dialog.getByText('1 record changed.').waitFor()
  const { entries } = (
    await team.grace.ask.request('GET', '/admin/audit', { query: { actor: 'Grace Holm', limit: 3 } })
  ).body
  assert.ok(entries.some(({ requestId, causation }) => requestId?.startsWith('undo-') && causation !== null))
  assert.ok((await names()).includes('going on: meanwhile'))
})

test('an entry of the log offers to take back its command and its request', async ({ open }) => {
  const { id } = (
    await team.mara.ask.request('POST', '/snippets', { body: { name: 'By mistake', code: '1', scope: 'any' } })
  ).body
  const page = await open(`#/audit?id=${id}`, admin())
  const entry = page.getByRole('listitem').filter({ hasText: 'made the snippet By mistake' }).first()
  await entry.getByRole('button', { name: 'Details' }).click()
  await entry.getByRole('button', { name: 'Undo its whole request…' }).click()
  await page.getByRole('list', { name: 'Goes, since it was made' }).getByText('By mistake').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await entry.getByRole('button', { name: 'Undo its command…' }).click()
  await page.getByText('1 record would be changed.', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText('1 record changed.').waitFor()
  assert.not.ok((await names()).includes('By mistake'))
})

test('a token that has done nothing has nothing to take back', async ({ open }) => {
  const path = { id: team.tomas.id }
  await team.grace.ask.request('POST', '/admin/users/{id}/tokens', { path, body: { name: 'idle' } })
  const page = await open('#/tokens', admin())
  await page.getByRole('button', { name: 'Undo what idle of', exact: false }).click()
  await page.getByText('There is nothing that can be taken back.').waitFor()
  assert.ok(await page.getByRole('button', { name: 'Undo', exact: true }).isDisabled())
})

run()
