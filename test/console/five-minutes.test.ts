import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import type { Tools } from './support/browser.js'
import { screenshot } from './support/looks.js'
import { seededSuite } from './support/seeded.js'

const { test, run, team } = seededSuite('the first five minutes')

const GUIDE = readFileSync(new URL('../../../docs/console.md', import.meta.url), 'utf8')
const steps = [...GUIDE.matchAll(/^\d\. (.+)$/gm)].map(([, text = '']) => text)

/** Each step of the guide, by how it begins, as somebody does it. */
const done: Readonly<Record<string, (page: Page, tools: Tools) => Promise<unknown>>> = {
  async 'Open the address of the hub'(page) {
    await page.getByLabel('Token').fill(team.mara.token)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Collections', level: 1 }).waitFor()
  },
  async 'Press `/`, type `Refund`'(page) {
    await page.keyboard.press('/')
    await page.getByRole('combobox', { name: 'Search' }).fill(team.refund.name)
    await page.getByRole('option').first().getByText(team.refund.name, { exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: team.refund.name, level: 1 }).waitFor()
  },
  async 'The newest line of the history'(page) {
    const newest = page.getByRole('complementary', { name: 'History' }).getByRole('listitem').first()
    await newest.getByText(team.refund.brokenBy).waitFor()
    await newest.getByTitle('What this changed').click()
    await page.getByRole('heading', { name: `Version ${team.refund.goodVersion}` }).waitFor()
    await page.getByText('{{chargeId', { exact: false }).first().waitFor()
    await screenshot(page, 'compare')
  },
  async 'Choose "Restore…" at the version that was right'(page) {
    await page.getByRole('button', { name: 'Restore' }).first().click()
    const dialog = page.getByRole('dialog', { name: `Restore version ${team.refund.goodVersion}?` })
    await dialog.getByText('URL').first().waitFor()
    await screenshot(page, 'restore')
    await dialog.getByRole('button', { name: 'Restore', exact: true }).click()
    await page.getByText(team.refund.goodUrl, { exact: true }).waitFor()
  },
  async 'An administrator finds it under Audit'(_, { open }) {
    const page = await open('#/', { token: team.grace.token })
    await page.getByRole('link', { name: 'Audit' }).click()
    await page.getByText('back to an earlier version', { exact: false }).first().waitFor()
    await page.getByRole('link', { name: team.refund.name }).first().waitFor()
  }
}

test('who broke the request is found, seen, put right and told of, as docs/console.md says', async (tools) => {
  const page = await tools.open('/')
  for (const step of steps) {
    const [, act] = Object.entries(done).find(([beginning]) => step.startsWith(beginning)) ?? []
    assert.ok(act, `The guide says what no test does: ${step}`)
    await act(page, tools)
  }
  assert.is(steps.length, Object.keys(done).length)
  const { body } = await team.mara.ask.request('GET', '/requests/{id}', { path: { id: team.refund.id } })
  assert.is(body.url, team.refund.goodUrl)
})

run()
