import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import * as assert from 'uvu/assert'
import { copiedAs, FORMATS, type Format } from '../../../clients/console/src/model/copyAs.js'
import { type Filling, type Shared, sentFor } from '../../../clients/console/src/model/sent.js'
import { filledIn, namesIn, partsOf, variablesOf } from '../../../clients/console/src/model/variables.js'
import type { Schemas } from '../../../clients/typescript/src/index.js'
import { onceAfterwards } from '../../support/afterwards.js'
import { temporaryDirectory } from '../../support/databases.js'
import { suite } from '../../support/suite.js'

const test = suite('a request copied to be sent elsewhere')
const NO_AUTH = { type: 'none', basic: { username: '', password: '' }, bearer: { token: '' } } as const
const PLAIN: Filling = { variables: new Map(), withSecrets: true }
/** What a shell, a language or a tool would do something with. */
const HOSTILE = `it's "$(touch x)" \`touch x\` \\n %41 & | <b> é 😀 #`

type Given = Partial<Schemas['SavedRequest']>

const request = (given: Given) =>
  // What is sent depends on nothing else of a saved request.
  ({
    ...{ method: 'POST', url: '', headers: [], params: [], auth: NO_AUTH, body: '', bodyType: 'none' },
    ...given
  }) as unknown as Schemas['SavedRequest']

const row = (key: string, value: string, enabled = true) => ({ key, value, enabled })

/** How each format is run; the program is the first word. */
const RUN: Readonly<Record<Format, (text: string) => readonly [string, ...string[]]>> = {
  curl: (text) => ['sh', '-c', text],
  fetch: (text) => ['node', '--input-type=module', '-e', text],
  python: (text) => ['python3', '-c', text],
  httpie: (text) => ['sh', '-c', text]
}
const CHECK: Readonly<Record<Format, string>> = {
  curl: 'curl --version',
  fetch: 'node --version',
  python: 'python3 -c "import requests"',
  httpie: 'http --version'
}

interface Arrived {
  readonly method: string | undefined
  readonly url: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: Buffer
}

async function ran([program, ...args]: readonly [string, ...string[]], cwd: string) {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, out: `${out}${err}` }
}

/** A server that keeps what arrives, with the address of it. */
async function listening() {
  const arrived: Arrived[] = []
  const server = createServer(async (message, response) => {
    const { method, url = '', headers } = message
    arrived.push({ method, url, headers, body: await buffer(message) })
    response.end('ok')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onceAfterwards(async () => server.close())
  return { arrived, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** The parts of a form: what each is called, its file, and its text. */
async function partsIn({ headers, body }: Arrived) {
  const form = await new Response(new Uint8Array(body), {
    headers: { 'content-type': String(headers['content-type']) }
  }).formData()
  return Promise.all(
    [...form].map(async ([name, value]) =>
      typeof value === 'string' ? [name, value] : [name, value.name, await value.text()]
    )
  )
}

for (const { value: format, label } of FORMATS) {
  const missing = (await ran(['sh', '-c', CHECK[format]], '.')).code !== 0
  const title = `as ${label} it runs as pasted, and sends what is saved`
  if (missing) {
    test.skip(title, `there is no ${label}`)
    continue
  }
  test(title, async () => {
    const { arrived, address } = await listening()
    const { path } = await temporaryDirectory()
    writeFileSync(join(path, 'a "file".txt'), 'of the file')
    const sent = async (given: Given, shared: Shared | null = null) => {
      const url = `${address}/v1/it's?q=1`
      const copied = copiedAs(format, sentFor(request({ url, ...given }), shared, PLAIN))
      const { code, out } = await ran(RUN[format](copied), path)
      assert.is(code, 0, `${copied}\n${out}`)
      const found = arrived.pop()
      assert.ok(found, copied)
      return found
    }

    const json = `{"text": ${JSON.stringify(HOSTILE)}, "id": 12345678901234567890}\n`
    const posted = await sent(
      {
        ...{ body: json, bodyType: 'json', params: [row('a b', HOSTILE), row('q', '2'), row('off', '', false)] },
        headers: [row('X-One', HOSTILE.replace(/[^ -~]/g, '')), row('X-None', ''), row('@/etc/passwd', '')]
      },
      { headers: [row('X-One', 'of the collection'), row('X-Two', '@/etc/passwd')], auth: NO_AUTH }
    )
    assert.is(posted.method, 'POST')
    assert.is(posted.body.toString(), json)
    assert.equal(
      [...new URLSearchParams(posted.url.split('?')[1])],
      [
        ['q', '1'],
        ['a b', HOSTILE]
      ]
    )
    assert.is(posted.headers['content-type'], 'application/json')
    assert.is(posted.headers['x-one'], HOSTILE.replace(/[^ -~]/g, '').trim())
    assert.is(posted.headers['x-two'], '@/etc/passwd')
    assert.is(posted.headers['x-none'], '')

    const fields = [row("a'b", HOSTILE), row('two', '@/etc/passwd'), row('three', '=x'), row('off', 'x', false)]
    const form = await sent({ method: 'PUT', body: JSON.stringify(fields), bodyType: 'urlencoded' })
    assert.match(String(form.headers['content-type']), /^application\/x-www-form-urlencoded/)
    assert.equal(
      [...new URLSearchParams(form.body.toString())],
      [
        ["a'b", HOSTILE],
        ['two', '@/etc/passwd'],
        ['three', '=x']
      ]
    )

    const parts = [...fields, { ...row('file', 'a "file".txt'), type: 'file' }]
    const multipart = await sent({ body: JSON.stringify(parts), bodyType: 'multipart' })
    const [one, two, three, [name, , content] = []] = await partsIn(multipart)
    assert.equal(
      [one, two, three, name, content],
      [["a'b", HOSTILE], ['two', '@/etc/passwd'], ['three', '=x'], 'file', 'of the file']
    )

    const basic = { ...NO_AUTH, type: 'basic', basic: { username: 'Zoë', password: `p'"$x:` } } as const
    const authorized = await sent({ method: 'GET', auth: NO_AUTH }, { headers: [], auth: basic })
    assert.is(authorized.method, 'GET')
    assert.is(authorized.headers.authorization, `Basic ${Buffer.from(`Zoë:p'"$x:`).toString('base64')}`)
    const bearer = { ...NO_AUTH, type: 'bearer', bearer: { token: "to'ken" } } as const
    const head = await sent({ method: 'HEAD', auth: bearer }, { headers: [], auth: basic })
    assert.equal([head.method, head.headers.authorization], ['HEAD', "Bearer to'ken"])

    const asked = await sent({ method: 'HEAD', body: '{}', bodyType: 'json' })
    assert.equal([asked.method, asked.headers['content-type']], ['HEAD', 'application/json'])
    const cookies = await sent({ method: 'GET', headers: [row('Cookie', 'a=1'), row('cookie', 'b=2')] })
    assert.is(cookies.headers.cookie, 'a=1; b=2')
    const bare = address.slice('http://'.length)
    assert.is((await sent({ method: 'GET', url: `${bare}/bare` })).url, '/bare')
    const named = await sent({ method: 'GET', url: `http://me:p%40:s@${bare}/named` })
    assert.equal(
      [named.url, named.headers.authorization],
      ['/named', `Basic ${Buffer.from('me:p@:s').toString('base64')}`]
    )

    assert.is((await ran(['sh', '-c', 'ls'], path)).out, 'a "file".txt\n', 'nothing was run')
  })
}

const variable = (key: string, value: string, more: object = {}) => ({
  ...{ key, value, defaultValue: '', share: true, enabled: true },
  ...more
})
const variables = variablesOf([
  {
    name: 'Production',
    variables: [variable('host', 'https://api.example.com'), variable('off', 'x', { enabled: false })]
  },
  {
    name: 'Payments',
    variables: [
      variable('host', 'of the collection'),
      variable('base', '{{host}}/v1'),
      variable('version', '', { defaultValue: '2' }),
      variable('apiKey', 'k-1'),
      variable('own', 'mine', { share: false }),
      variable('self', '{{ self }}')
    ]
  }
])

test('variables are filled in: the nearest source counts, and one may stand for others', () => {
  assert.is(filledIn('{{base}}/{{ version }}?{{apiKey}}', variables, true), 'https://api.example.com/v1/2?k-1')
  assert.is(filledIn('{{off}} {{none}} {{$uuid}} {{self}}', variables, true), '{{off}} {{none}} {{$uuid}} {{ self }}')
  assert.is(variables.get('base')?.from, 'Payments')
})

test('what is secret by its name, or not to be shared, is filled in where that is asked for alone', () => {
  assert.is(filledIn('{{apiKey}} {{own}} {{version}}', variables, false), '{{apiKey}} {{own}} 2')
  assert.is(filledIn('{{apiKey}} {{own}} {{version}}', variables, true), 'k-1 mine 2')
})

test('the variables of texts are told once each, and texts in parts', () => {
  assert.equal(namesIn(['{{a}}/{{ b }}', '{{a}} {{$uuid}}']), ['a', 'b'])
  assert.equal(partsOf('x/{{ a }}y'), [{ text: 'x/' }, { text: '{{ a }}', name: 'a' }, { text: 'y' }])
})

test('variables in a path are filled in and encoded; what nothing sets, what is empty and what is secret stays', () => {
  const set = variablesOf([
    {
      name: 'Staging',
      variables: [
        variable('id', 'a/{{part}} ?'),
        variable('part', 'é'),
        variable('open', '{{nobody}}/x'),
        variable('self', '{{self}}'),
        variable('empty', ''),
        variable('apiKey', 'k-1')
      ]
    }
  ])
  const url = 'http://h:80/:id/:open/:self/:empty/:none/:apiKey/7:cancel?id=:id'
  const sent = (withSecrets: boolean) =>
    sentFor(request({ url, params: [row('b', ':id')] }), null, { variables: set, withSecrets }).url
  const filled = (key: string) =>
    `http://h:80/a%2F%C3%A9%20%3F/{{nobody}}%2Fx/:self/:empty/:none/${key}/7:cancel?id=:id&b=%3Aid`
  assert.equal([sent(false), sent(true)], [filled(':apiKey'), filled('k-1')])
  assert.is(sentFor(request({ url }), null, PLAIN).url, url)
})

test('a parameter that the URL has already, encoded there, is sent once', () => {
  const url = 'https://x.test/?a%20b=1'
  assert.is(sentFor(request({ url, params: [row('a b', '1')] }), null, PLAIN).url, url)
})

test('secrets are masked where they are not asked for, references stay', () => {
  const given = request({
    url: 'https://api.example.com',
    params: [row('token', 'abc')],
    headers: [row('X-Api-Key', 'abc'), row('Cookie', '{{cookie}}')],
    auth: { ...NO_AUTH, type: 'basic', basic: { username: 'u', password: 'p' } }
  })
  const { url, headers, basic } = sentFor(given, null, { variables, withSecrets: false })
  assert.is(url, 'https://api.example.com?token=••••••••')
  assert.equal(
    headers.map(({ value }) => value),
    ['••••••••', '{{cookie}}']
  )
  assert.equal(basic, { user: 'u', password: '••••••••' })
})

test('secrets in the URL itself are masked where they are not asked for: a password, and values by their names', () => {
  const set = variablesOf([
    {
      name: 'V',
      variables: [variable('host', 'https://u:p@h'), variable('mine', 'm'), variable('more', 'token=t&b=2')]
    }
  ])
  const url = (url: string, withSecrets = false, params = [row('api_key', 'abc')]) =>
    sentFor(request({ url, params }), null, { variables: set, withSecrets }).url
  const [written, masked] = ['https://me:p:@ss@h:80/a@b?q=1&api_key=abc&&access%5Ftoken=x=y&token=#f', '••••••••']
  assert.is(url(written), `https://me:${masked}@h:80/a@b?q=1&api_key=${masked}&&access%5Ftoken=${masked}&token=#f`)
  assert.is(url(written, true), written)
  assert.is(
    url('https://me:{{pw}}@h?token={{mine}}&secret={{none}}', false, []),
    'https://me:{{pw}}@h?token=m&secret={{none}}'
  )
  assert.is(url('{{host}}/a?{{more}}', false, []), `https://u:${masked}@h/a?token=${masked}&b=2`)
  for (const plain of ['https://me@h:80/x:y@z?q=1', 'http://h:80', '{{host2}}/v1', '', 'h?token'])
    assert.is(url(plain, false, []), plain)
})

test('a form with parts says itself what stands between them, and a form that is a text is one all the same', () => {
  const headers = [row('content-type', 'multipart/form-data'), row('X-One', '1')]
  const parts = JSON.stringify([row('a', 'b')])
  assert.equal(sentFor(request({ headers, body: parts, bodyType: 'multipart' }), null, PLAIN).headers, [
    { name: 'X-One', value: '1' }
  ])
  assert.equal(sentFor(request({ body: 'a=b', bodyType: 'urlencoded' }), null, PLAIN).headers, [
    { name: 'Content-Type', value: 'application/x-www-form-urlencoded' }
  ])
})

test('variables that stand for each other many times are filled in up to a bound', () => {
  const many = (name: string) => `{{${name}}}`.repeat(1000)
  const endless = variablesOf([
    { name: 'E', variables: ['a', 'b', 'c', 'd'].map((key, i) => variable(key, many('bcda'.charAt(i)))) }
  ])
  assert.ok(filledIn('{{a}}', endless, true).length < 8_000_000)
})

test.run()
