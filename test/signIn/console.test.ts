import * as assert from 'uvu/assert'
import { BUILT_CONSOLE } from '../../src/http/console/files.js'
import { axe, picture } from '../console/support/looks.js'
import { records } from '../http/client.js'
import { World } from '../http/world.js'
import { browserTests } from '../support/browser.js'
import { aHubWithProvider } from './setting.js'

let ahead_ms = 0
const now = () => Date.now() + ahead_ms
const { test, run } = browserTests('signing in with a provider, in the console', () =>
  aHubWithProvider({}, undefined, { consoleDirectory: BUILT_CONSOLE, now })
)

test('somebody signs in without a token, stays signed in over a reload, and signs out at the provider too', async ({
  server: { hub, provider },
  newPage,
  expectFailures
}) => {
  const { page } = await newPage()
  await page.goto(`${hub.url}/console/`)
  await page.getByRole('link', { name: 'Sign in with Company' }).waitFor()
  await axe(page)
  await picture(page, 'sign-in')
  await page.getByRole('link', { name: 'Sign in with Company' }).click()
  await page.getByRole('button', { name: /Ada/ }).waitFor()
  assert.is(await page.evaluate('document.cookie'), '')
  assert.is(new URL(page.url()).hash, '#/')
  await page.reload()
  await page.goto(`${hub.url}/console/#/account`)
  await page.getByText('Chrome on Linux').waitFor()
  await page.getByText('this one').waitFor()
  await picture(page, 'sign-in-account')
  assert.is(await page.getByText(/ends soon|within a week/).count(), 0, 'a session ends by itself')
  provider.says = { answers: { '/end': (response) => void response.end('bye') } }
  expectFailures(/401/)
  await page.getByRole('button', { name: /Ada/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByText('bye').waitFor()
  await page.goto(`${hub.url}/console/`)
  await page.getByRole('link', { name: 'Sign in with Company' }).waitFor()
})

test('whoever has a token binds the provider to their account on its page, and lets go of it again', async ({
  server: { hub, provider },
  newPage
}) => {
  const { owner } = await World.of(hub)
  provider.says = { claims: { sub: 'grace' }, userInfo: { sub: 'grace', name: 'Grace' } }
  const { page } = await newPage()
  await page.addInitScript(`sessionStorage.setItem('hub.token', '${owner.token}')`)
  await page.goto(`${hub.url}/console/#/account`)
  await page.getByRole('button', { name: 'Sign in with Company, too' }).click()
  await page.getByText('Company as Grace').waitFor()
  await axe(page)
  await picture(page, 'sign-in-bound')
  await page.getByRole('button', { name: 'Let go of Company' }).click()
  await page.getByRole('button', { name: 'Let go', exact: true }).click()
  await page.getByRole('button', { name: 'Sign in with Company, too' }).waitFor()
})

test('who signs out everywhere is asked before, and is out in each browser that has signed in', async ({
  server: { hub, provider },
  newPage,
  expectFailures
}) => {
  provider.says = { claims: { sub: 'mary' }, userInfo: { sub: 'mary', name: 'Mary' } }
  const [{ page: here }, { page: there }] = [await newPage(), await newPage()]
  for (const page of [here, there]) {
    await page.goto(`${hub.url}/console/`)
    await page.getByRole('link', { name: 'Sign in with Company' }).click()
    await page.getByRole('button', { name: /Mary/ }).waitFor()
  }
  await here.goto(`${hub.url}/console/#/account`)
  expectFailures(/401/)
  await here.getByRole('button', { name: 'Sign out everywhere…' }).click()
  await here.getByText(/Every browser that has signed in as you is signed out at once/).waitFor()
  await axe(here)
  await here.getByRole('button', { name: 'Sign out everywhere', exact: true }).click()
  for (const page of [here, there]) {
    await page.reload()
    await page.getByRole('link', { name: 'Sign in with Company' }).waitFor()
  }
})

test('whose session is over is told why: by its time, elsewhere, or since their account is disabled', async ({
  server: { hub, provider, world },
  newPage,
  expectFailures
}) => {
  const signedIn = async (name: string) => {
    provider.says = { claims: { sub: name }, userInfo: { sub: name, name } }
    const { page } = await newPage()
    await page.goto(`${hub.url}/console/`)
    await page.getByRole('link', { name: 'Sign in with Company' }).click()
    await page.getByRole('button', { name: new RegExp(name) }).waitFor()
    return page
  }
  expectFailures(/401/)
  const [here, there] = [await signedIn('Olga'), await signedIn('Olga')]
  await here.evaluate(`fetch('/auth/sign-out/everywhere', { method: 'POST' })`)
  await there.getByText('you signed out elsewhere').waitFor()
  const disabled = await signedIn('Nils')
  const users = records(await world.by(world.admin).get('/admin/users'), 'users')
  const id = users.find(({ name }) => name === 'Nils')?.id
  await world.by(world.admin).post(`/admin/users/${id}/disable`)
  await disabled.getByText('your account was disabled').waitFor()
  const late = await signedIn('Lena')
  // Nobody looks while the time goes by: an open page says so once, where it stands.
  await late.goto('about:blank')
  ahead_ms = 13 * 3_600_000
  await late.goto(`${hub.url}/console/`)
  await late.getByText('it has lasted as long as sessions of this hub do').waitFor()
  await axe(late)
})

test('whoever is not let in is told why on a page that leads back', async ({
  server: { hub, provider },
  newPage,
  expectFailures
}) => {
  provider.says = { back: { error: 'access_denied' } }
  expectFailures(/400/)
  const { page } = await newPage()
  await page.goto(`${hub.url}/auth/sign-in/company`)
  await page.getByRole('heading', { name: 'You are not signed in' }).waitFor()
  await page.getByText('The provider did not sign you in: access_denied.').waitFor()
  await axe(page)
  provider.says = {}
  await page.getByRole('link', { name: 'Back to the first page' }).click()
  await page.getByRole('link', { name: 'Sign in with Company' }).waitFor()
})

run()
