import type { Page } from 'playwright-core'
import { type Fields, fields } from '../http/client.js'
import { afterwards } from '../support/afterwards.js'
import { type Person, SCOPES } from './administration.js'
import type { Setting } from './setting.js'

/** A browser that has nothing of the hub or the provider yet, at the console. It is closed afterwards. */
export async function atConsole({ browser, hub }: Setting): Promise<Page> {
  const context = await browser.newContext({ locale: 'en' })
  afterwards(() => context.close())
  const page = await context.newPage()
  await page.goto(`${hub.url}/console/`)
  return page
}

/** From the console to the login page of the provider, and what somebody does there until the provider leads on. */
export async function signIn(page: Page, { username, password, name }: Person): Promise<void> {
  await page.getByRole('link', { name: 'Sign in with Company' }).click()
  await page.getByLabel('Login').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'OK' }).click()
  await page.getByText(`Hello ${name}`).waitFor()
  const goOn = page.getByRole('button', { name: 'Continue' })
  const give = page.getByRole('button', { name: 'Grant access' })
  await goOn.or(give).first().waitFor()
  // The first time it asks what the hub may know of them.
  if (await give.isVisible()) {
    for (const scope of SCOPES.slice(1)) await page.getByLabel(scope, { exact: true }).check()
    await give.click()
  }
  await goOn.click()
}

/** Somebody in the console, by the word of the provider. */
export async function signedIn(setting: Setting, person: Person): Promise<Page> {
  const page = await atConsole(setting)
  await signIn(page, person)
  await page.getByRole('button', { name: new RegExp(person.name) }).waitFor()
  return page
}

/** What the hub answers a browser that asks whose session it has. */
export async function session(
  page: Page,
  { hub }: Setting
): Promise<{ readonly status: number; readonly body: Fields }> {
  const answer = await page.context().request.get(`${hub.url}/auth/session`)
  return { status: answer.status(), body: fields(await answer.json()) }
}

/** Ends the session of the provider, on the page of it that asks whether to. */
export async function leave(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.getByText('You are disconnected').waitFor()
}

/** Takes back, on the login page, whatever the provider has given in the name of who is signed in there. */
export async function giveUpTokens(page: Page, { issuer }: Setting): Promise<void> {
  await page.goto(new URL('/login.html', issuer).href)
  await page.locator('#logoutDropdown').click()
  await page.getByText('Disconnect all tokens').click()
  await page.getByText('Disconnect successfull').waitFor()
}
