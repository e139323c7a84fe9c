import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { temporaryDirectory } from '../support/databases.js'
import { freePort } from '../support/private-server.js'
import { looksWellOnBoth } from './support/looks.js'
import { seededSuite } from './support/seeded.js'

const port = await freePort()
const { path } = await temporaryDirectory()
const { test, run, team } = seededSuite('programs that ask for a token in the console', {
  port,
  config: {
    server: { host: '127.0.0.1', port: 1, publicUrl: `http://127.0.0.1:${port}` },
    authorization: { keyFile: join(path, 'key') }
  }
})

const post = async (url: string, fields: Readonly<Record<string, string>>) =>
  JSON.parse(await (await fetch(url, { method: 'POST', body: new URLSearchParams(fields) })).text())

test('somebody types the code of a program, sees what it asks for, and lets it in; a code that nobody waits for is told so', async ({
  open,
  hub,
  expectFailures
}) => {
  const asked = await post(`${hub.url}/oauth/device_authorization`, { client_id: 'terminal', scope: 'read llm' })
  const page = await open('#/approve', { token: team.mara.token })
  await page.getByRole('textbox', { name: 'Code' }).fill(String(asked.user_code).toLowerCase())
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByText('A program at a terminal').waitFor()
  await page.getByText('Use models').waitFor()
  await looksWellOnBoth(page, 'approve')
  await page.getByRole('button', { name: 'Let it in' }).click()
  await page.getByText('It is let in').waitFor()
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  const given = await post(`${hub.url}/oauth/token`, {
    ...{ grant_type, client_id: 'terminal', device_code: asked.device_code }
  })
  assert.match(given.access_token, /^hbk_/)
  expectFailures(/404/)
  await page.goto('#/approve/BCDF-GHJK')
  await page.getByText(/No program waits for this code/).waitFor()
})

run()
