import * as assert from 'uvu/assert'
import { BUILT_CONSOLE } from '../../src/http/console/files.js'
import { axe, picture } from '../console/support/looks.js'
import { fields, text } from '../http/client.js'
import { succeeded, World } from '../http/world.js'
import { browserTests } from '../support/browser.js'
import { aHubWithProvider } from './setting.js'

const { test, run } = browserTests('an invitation to a hub that people sign in to with a provider', () =>
  aHubWithProvider({ firstSignIn: 'refuse' }, undefined, { consoleDirectory: BUILT_CONSOLE })
)

test('whoever accepts one signs in with the provider from then on, though strangers are refused', async ({
  server: { hub, provider },
  newPage,
  expectFailures
}) => {
  const world = await World.of(hub)
  const said = { name: 'Grace Hopper', role: 'user' }
  const invited = fields(succeeded(await world.by(world.admin).post('/admin/invited-users', said)).body)
  const secret = text(invited, 'secret')
  provider.says = { claims: { sub: 'grace' }, userInfo: { sub: 'grace', name: 'Grace H.' } }
  const { page } = await newPage()
  await page.goto(`${hub.url}/console/#/join?code=${secret}`)
  await page.getByRole('button', { name: 'Accept' }).click()
  await page.getByRole('button', { name: 'Sign in with Company from now on' }).waitFor()
  await axe(page)
  await picture(page, 'join-with-provider')
  await page.getByRole('button', { name: 'Sign in with Company from now on' }).click()
  await page.getByText('Company as Grace H.').waitFor()
  const other = (await newPage()).page
  await other.goto(`${hub.url}/console/`)
  await other.getByRole('link', { name: 'Sign in with Company' }).click()
  await other.getByRole('button', { name: /Grace Hopper/ }).waitFor()
  // Whom nobody has invited is not let in.
  provider.says = { claims: { sub: 'eve' }, userInfo: { sub: 'eve', name: 'Eve' } }
  expectFailures(/403/)
  const third = (await newPage()).page
  await third.goto(`${hub.url}/console/`)
  await third.getByRole('link', { name: 'Sign in with Company' }).click()
  await third.getByText('No account of this hub is that of Eve').waitFor()
  assert.is(await third.getByRole('button', { name: /Eve/ }).count(), 0)
})

run()
