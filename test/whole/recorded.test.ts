import { readFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { newHome } from '../cli/support.js'
import { freePort } from '../support/private-server.js'
import { suite } from '../support/suite.js'
import { answersOf, type Send } from './recorded/calls.js'

const test = suite('what desktops are answered, as it was recorded before sign-in with providers came')

const answer = z.object({ call: z.string(), status: z.number(), contentType: z.string().nullable(), text: z.string() })
const recorded = z
  .array(answer)
  .parse(JSON.parse(readFileSync(new URL('../../../test/whole/recorded/answers.json', import.meta.url), 'utf8')))

/** What a token that never ends and is not limited says since then, and each account. */
const ADDED = /"scopes":null,|,"expiresAt":null|,"exactRole":"(?:user|admin)"/g

test('each answer is the same, byte for byte but for ids, times, colours and what tokens and accounts say since then', async () => {
  const home = await newHome()
  const port = await freePort()
  home.configure({ port })
  const server = await home.start(['start', '--init'], 'hbk_')
  const admin = /hbk_[\w-]{49}/.exec(server.stdout())?.[0] ?? ''
  const send: Send = async ({ method, path, token, body }) => {
    const headers = new Headers()
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
    if (body !== undefined) headers.set('content-type', 'application/json')
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, ...sent })
    return {
      status: response.status,
      contentType: response.headers.get('content-type'),
      text: (await response.text()).replace(ADDED, '')
    }
  }
  const answers = await answersOf(send, admin)
  assert.is(answers.length, recorded.length)
  for (const [i, one] of answers.entries()) assert.equal(one, recorded[i])
  await server.stop()
})

test.run()
