import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { noAccess } from '../../commands/people/user/events.js'
import { issueToken } from '../../src/ledger/secrets.js'
import { browserSuite } from './support/browser.js'
import { axe, onBoth, picture } from './support/looks.js'

const { test, run } = browserSuite('the first day of an administrator', undefined, {
  limits: { maxFailures: 2 }
})

test('a token that does not let in says why: none, no token, unknown, and blocked until when', async ({
  hub,
  open,
  expectFailures
}) => {
  expectFailures(/401|429/)
  const page = await open('#/')
  const enter = async (token: string, says: string | RegExp) => {
    await page.getByLabel('Token').fill(token)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText(says).waitFor()
  }
  await picture(page, 'first-day-1-sign-in')
  await enter(' ', 'Paste your token here first.')
  await enter('sesame', 'This is no token of a hub: one begins with hbk_.')
  await enter('hbi_sesame', 'This is an invitation')
  await picture(page, 'first-day-2-no-token')
  await enter('hbk_ses ame', 'There is something in this token that no token has')
  await enter('hbk_sesame', 'This token is cut off: one has 53 characters, and this has 10.')
  const { token, secret } = issueToken({}, Date.now())
  const account = { ...noAccess, name: 'Left', role: 'user' } as const
  await hub.run({ type: 'CreateUser', id: randomUUID(), account, token })
  await hub.run({ type: 'RevokeToken', id: token.tokenId })
  await enter(secret, 'This token was revoked: nobody gets in with it any more.')
  await enter(`hbk_${'x'.repeat(43)}`, 'The hub does not know this token.')
  await picture(page, 'first-day-3-unknown')
  await axe(page)
  for (let failures = 1; failures < 3; failures++)
    await hub.send({ method: 'GET', path: '/auth/session', token: 'hbk_sesame' })
  // Wherever the browser is.
  await enter('hbk_sesame', /until \d\d:15, in 15 minutes\. Another token is taken at once\./)
  await picture(page, 'first-day-4-blocked')
})

test('on an empty hub an administrator makes an account, sees its token once, and goes on as it', async ({
  hub,
  open
}) => {
  const page = await open('#/', { token: hub.admin.token })
  await page.getByRole('heading', { name: 'Administrators manage the hub' }).waitFor()
  await onBoth(page, async (on) => {
    await picture(page, `first-day-5-empty-hub${on}`)
    assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'))
    await axe(page)
  })
  const make = page.getByRole('button', { name: 'Make an account for yourself' })
  await make.click()
  await page.getByText('Give the account a name first.').waitFor()
  await page.getByLabel('Name of your account').fill('Ada')
  await make.click()
  const secret = await page.getByLabel('Token', { exact: true }).inputValue()
  assert.match(secret, /^hbk_\S{49}$/)
  await picture(page, 'first-day-6-token')
  await axe(page)
  const enter = page.getByRole('button', { name: 'Sign in as Ada' })
  await enter.click()
  await page.getByText('It has not been copied').waitFor()
  await enter.click()
  await page.getByRole('button', { name: 'Signed in as Ada' }).waitFor()
  await page.getByText('No collections yet').waitFor()
  assert.is(await page.getByRole('link', { name: 'People' }).count(), 0)
  await picture(page, 'first-day-7-as-user')
  const collection = { method: 'POST', path: '/collections', body: { name: 'Mine' }, token: secret } as const
  assert.is((await hub.send(collection)).status, 200)
  await page.getByRole('main').getByRole('link', { name: 'Mine' }).waitFor()
})

run()
