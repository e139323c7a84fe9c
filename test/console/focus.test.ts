import * as assert from 'uvu/assert'
import { seededSuite } from './support/seeded.js'

const { test, run, team } = seededSuite('the focus in the console')

test('each control of a form shows that it has the focus', async ({ open }) => {
  const { payments, refund } = team
  const page = await open(`#/collections/${payments}/requests/${refund.id}?edit=yes`, { token: team.mara.token })
  for (const name of ['URL', 'Body', 'Before the request']) {
    await page.locator('.cm-content').nth(1).waitFor()
    await page.getByRole('textbox', { name, exact: true }).focus()
    assert.is(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle'), 'solid', name)
  }
})

run()
