import type { OutgoingHttpHeaders } from 'node:http'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import * as assert from 'uvu/assert'
import { complaints, parse } from '../config/parsing.js'
import { suite } from '../support/suite.js'
import type { Call, Reply } from './client.js'
import { sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'

const APP = 'https://app.example.com'
const server = (cors: object) => ({ config: { server: { host: '127.0.0.1', port: 1, cors } } })

const allowed = ({ headers }: Reply) => headers['access-control-allow-origin']
const preflight: OutgoingHttpHeaders = {
  origin: APP,
  'access-control-request-method': 'PUT',
  'access-control-request-headers': 'authorization,if-match'
}

const { test: named, world } = hubSuite(
  'web pages of named origins',
  sqlite,
  server({ origins: [APP, 'HTTP://Localhost:3000'], credentials: true, maxAgeSeconds: 60 })
)

const ask = (call: Partial<Call>, of = world) => of.hub.send({ method: 'GET', path: '/collections', ...call })

/** What comes of the first message of the Model Context Protocol from a page of this origin. */
function introduced({ hub, owner: { token } }: typeof world, origin: string): Promise<Reply> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'page', version: '1' } }
  const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params }
  return hub.send({ method: 'POST', path: '/mcp', token, headers: { origin }, body })
}

named('they may read every answer, and the headers that clients need', async () => {
  const { token } = world.owner
  const headers = { origin: APP }
  const replies = {
    'a list': await ask({ token, headers }),
    'a refusal': await ask({ headers }),
    'no route': await ask({ path: '/nowhere', headers }),
    'no readable path': await ask({ path: '/%zz', headers }),
    'a probe': await ask({ path: '/health', headers }),
    'a body that is too large': await ask({
      method: 'POST',
      path: '/auth/invitations/preview',
      text: 'x'.repeat(5000),
      headers: { ...headers, 'content-type': 'application/json' }
    })
  }
  for (const [what, reply] of Object.entries(replies)) {
    assert.is(allowed(reply), APP, what)
    assert.is(reply.headers['access-control-allow-credentials'], 'true', what)
    assert.ok(reply.headers['x-request-id'], what)
    assert.match(
      reply.headers['access-control-expose-headers'] ?? '',
      /ETag.*RateLimit.*Retry-After.*X-Request-Id/,
      what
    )
    assert.match(reply.headers.vary ?? '', /Origin/, what)
  }
  assert.match(replies['a refusal'].headers.vary ?? '', /^Origin, Accept$/)
})

named('they may read the name of a file, and speak the Model Context Protocol', async () => {
  const asked = 'authorization,content-type,mcp-protocol-version,mcp-session-id'
  const headers = { ...preflight, 'access-control-request-method': 'POST', 'access-control-request-headers': asked }
  const before = await ask({ method: 'OPTIONS', path: '/mcp', headers })
  const allowedNames = String(before.headers['access-control-allow-headers']).toLowerCase().split(', ')
  for (const name of asked.split(',')) assert.ok(allowedNames.includes(name), name)
  const { headers: told } = await ask({ token: world.owner.token, headers: { origin: APP } })
  const shown = String(told['access-control-expose-headers']).split(', ')
  for (const name of ['Content-Disposition', 'Mcp-Session-Id']) assert.ok(shown.includes(name), name)
  const { status } = await introduced(world, APP)
  assert.is(status, 200)
  await world.refused(403, () => introduced(world, 'https://evil.example'))
})

/** Headers that a page may send to any origin. */
const SIMPLE = ['accept', 'accept-language', 'content-language', 'content-type']

/** A `fetch` as that of a browser: what the hub does not let a page send is not sent, and what it does not show is not there. */
async function pageFetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const asked = new Headers(init.headers)
  const names = [...asked.keys()].filter((name) => !SIMPLE.includes(name))
  const before = await fetch(input, {
    method: 'OPTIONS',
    headers: {
      ...{ origin: APP, 'access-control-request-method': 'POST' },
      'access-control-request-headers': names.join(',')
    }
  })
  const taken = before.headers.get('access-control-allow-headers')?.toLowerCase().split(', ') ?? []
  const held = names.filter((name) => !taken.includes(name))
  if (held.length > 0) throw new TypeError(`A browser does not send ${held.join(', ')}.`)
  asked.set('origin', APP)
  return fetch(input, { ...init, headers: asked })
}

named('the libraries of OpenAI and Anthropic get through in a browser', async () => {
  const { token } = world.owner
  const options = { apiKey: token, maxRetries: 0, fetch: pageFetch, dangerouslyAllowBrowser: true }
  const openai = new OpenAI({ ...options, baseURL: `${world.hub.url}/v1`, organization: 'team', project: 'hub' })
  const anthropic = new Anthropic({ ...options, baseURL: world.hub.url })
  const messages = [{ role: 'user' as const, content: 'Hello' }]
  // The hub has no models, and they read that.
  for (const [what, asked] of [
    ['openai', () => openai.chat.completions.stream({ model: 'm', messages }).finalMessage()],
    ['anthropic', () => anthropic.beta.messages.create({ model: 'm', max_tokens: 1, messages, betas: ['b'] })]
  ] as const) {
    const said = await asked().then(
      () => 'an answer',
      (error: unknown) => String(error)
    )
    assert.match(said, / 503 .*not configured/, `${what}: ${said}`)
  }
})

named('a browser is told of no other names than those of libraries', async () => {
  const asked = 'x-stainless-os,x-evil,cookie,anthropic-beta x,openai-project'
  const headers = { ...preflight, 'access-control-request-headers': asked }
  const { headers: told } = await ask({ method: 'OPTIONS', path: '/v1/models', headers })
  const taken = String(told['access-control-allow-headers']).toLowerCase().split(', ')
  assert.ok(taken.includes('x-stainless-os') && taken.includes('openai-project'))
  assert.not(taken.some((name) => ['x-evil', 'cookie'].includes(name) || name.includes(' ')))
})

named('a stream of changes is theirs too', async () => {
  const { headers } = await new Promise<{ headers: Headers }>((resolve, reject) => {
    const stop = new AbortController()
    const asked = { headers: { origin: APP, authorization: `Bearer ${world.owner.token}` }, signal: stop.signal }
    fetch(`${world.hub.url}/changes`, asked).then((response) => {
      resolve(response)
      stop.abort()
    }, reject)
  })
  assert.is(headers.get('access-control-allow-origin'), APP)
})

named('an origin with another spelling of the same address is the same', async () => {
  assert.is(allowed(await ask({ headers: { origin: 'http://localhost:3000' } })), 'http://localhost:3000')
})

named('a browser that asks first is told what it may send, without a token', async () => {
  const { status, text, headers } = await ask({ method: 'OPTIONS', path: '/collections/x', headers: preflight })
  assert.equal([status, text, headers['access-control-allow-origin']], [204, '', APP])
  assert.match(headers['access-control-allow-methods'] ?? '', /PUT/)
  for (const name of ['Authorization', 'If-Match', 'Idempotency-Key'])
    assert.match(headers['access-control-allow-headers'] ?? '', new RegExp(name))
  assert.is(headers['access-control-max-age'], '60')
})

named('pages of any other origin learn nothing', async () => {
  for (const origin of ['https://evil.example', `${APP}.evil.example`, 'null', `${APP}:8443`, '']) {
    for (const method of ['GET', 'OPTIONS']) {
      const reply = await ask({ method, headers: { ...preflight, origin } })
      const told = Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))
      assert.equal(told, [], `${method} ${origin}`)
      assert.match(reply.headers.vary ?? '', /Origin/)
    }
  }
})

named.run()

const { test: open, world: openWorld } = hubSuite('web pages of any origin', sqlite, server({ origins: ['*'] }))

open('they may read every answer, without cookies', async () => {
  const headers = { origin: 'https://anybody.example' }
  const reply = await ask({ headers, token: openWorld.owner.token }, openWorld)
  assert.is(allowed(reply), '*')
  assert.is(reply.headers['access-control-allow-credentials'], undefined)
  assert.not.match(reply.headers.vary ?? '', /Origin/)
})

open('they may speak the Model Context Protocol', async () => {
  assert.is((await introduced(openWorld, 'https://anybody.example')).status, 200)
})

open.run()

const config = suite('server.cors')
const cors = (text: string) => ({ server: `server: {host: h, port: 1, cors: ${text}}` })

for (const [text, complaint] of [
  ['{}', 'server.cors.origins: Config must include server.cors.origins.'],
  ['{origins: []}', 'server.cors.origins: Name at least one origin.'],
  ['{origins: [example.com]}', 'server.cors.origins[0]: Must be an origin such as https://app.example.com, or *.'],
  [
    '{origins: ["https://a.example/b"]}',
    'server.cors.origins[0]: Must be an origin such as https://app.example.com, or *.'
  ],
  ['{origins: ["*", "https://a.example"]}', 'server.cors.origins: Wildcard "*" must be the only entry.'],
  [
    '{origins: ["*"], credentials: true}',
    'server.cors.credentials: Must be false where origins is ["*"]: name the origins instead.'
  ],
  ['{origins: ["*"], maxAgeSeconds: 100000}', 'server.cors.maxAgeSeconds: Must be an integer between 0 and 86400.'],
  ['{origin: ["*"]}', 'server.cors.origin: Unknown key. Did you mean origins?']
] as const) {
  config(`${text} is refused`, () => {
    const said = complaints(() => parse(cors(text)))
    assert.ok(said.includes(complaint), said.join('\n'))
  })
}

config('it is off by default, and an origin is kept as browsers name it', () => {
  assert.is(parse().config.server.cors, undefined)
  assert.equal(parse(cors('{origins: ["HTTPS://App.Example.com:443"]}')).config.server.cors, {
    origins: [APP],
    credentials: false,
    maxAgeSeconds: 600
  })
})

config.run()
