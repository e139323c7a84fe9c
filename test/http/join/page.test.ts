import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { readInvite } from '../../../src/http/join/invite.js'
import { joinPage } from '../../../src/http/join/page.js'
import { escapeHtml } from '../../../src/http/join/parts.js'
import { suite } from '../../support/suite.js'
import { queryOf } from './invites.js'

const test = suite('the markup of the join page')
const NOW = new Date('2030-01-01T12:00:00Z')
const exp = '2030-01-02T03:04:05.678Z'

const pageOf = (changes: Parameters<typeof queryOf>[0] = {}, now = NOW, hasConsole = true) =>
  joinPage(readInvite(queryOf({ exp, ...changes })), { scheme: 'harborclient', hasConsole, now })

const HOSTILE = [
  `"><script>alert(1)</script>`,
  `'><img src=x onerror=alert(1)>`,
  `</title></style></script><svg onload=alert(1)>`,
  `&lt;b&gt;&amp;&#39;`,
  `<!--`,
  `\u0000\u202e\u2028<b>`
]

for (const parameter of ['url', 'name', 'role', 'exp', 'hub', 'access'] as const) {
  test(`whatever ${parameter} holds is text, or not there`, () => {
    for (const hostile of HOSTILE) {
      const value = parameter === 'url' ? `https://hub.example.com/?${hostile}` : hostile
      const page = pageOf({ [parameter]: value })
      assert.not.ok(page.includes(value), value)
      const invalid = parameter === 'role' || parameter === 'exp'
      assert.is(page.includes(escapeHtml(value.trim())), !invalid, value)
      assert.is(page.includes('This invite link is not valid'), invalid)
    }
  })
}

test('no value changes the markup around it', () => {
  const shape = (text: string) => text.replace(/[^<>"']+/g, ' ')
  const expected = shape(pageOf({ name: 'a', hub: 'a', access: 'a', url: 'https://a' }))
  const value = fc
    .string({ unit: 'binary', minLength: 1 })
    .filter((text) => text.trim() !== '' && !text.includes(' · '))
  fc.assert(
    fc.property(value, value, value, fc.webUrl(), (name, hub, access, url) => {
      assert.is(shape(pageOf({ name, hub, access, url })), expected)
    })
  )
})

test('an invite that is good for a while: its details, and buttons that wait for the script', () => {
  const page = pageOf()
  for (const part of [
    '<title>Invitation to Analytical Engines</title>',
    '<dt>Invited as</dt><dd><bdi>Ada Lovelace</bdi></dd>',
    '<dt>Role</dt><dd>User</dd>',
    `<time id="time" datetime="${exp}">Wed, 2 January 2030 at 03:04 UTC</time>`,
    '<dt>Server</dt><dd><bdi>https://hub.example.com</bdi></dd>',
    '<li><bdi>Collections: all</bdi></li>',
    'data-link="harborclient://team-hub/join"',
    '<a id="open" class="button primary" role="link" aria-disabled="true">',
    '<button id="copy" class="button" type="button" disabled>',
    'id="expired" class="notice bad" hidden',
    '<a class="button" href="https://harborclient.com/download" target="_blank" rel="noreferrer">',
    '<noscript>'
  ]) {
    assert.ok(page.includes(part), part)
  }
})

test('a tenant is shown, so that it can be typed in where the app asks for it', () => {
  assert.match(pageOf({ tenant: 'acme' }), '<dt>Tenant</dt><dd><code>acme</code></dd>')
  assert.not.match(pageOf(), 'Tenant')
})

test('rows that the link says nothing about are left out', () => {
  const page = pageOf({ url: undefined, access: undefined, hub: undefined })
  assert.not.match(page, '<dt>Server</dt>')
  assert.not.match(page, '<dt>Access</dt>')
  assert.match(page, 'You’re invited to <bdi>Collections Hub</bdi>')
})

test('it is expired from the very moment that it names', () => {
  for (const [now, late] of [
    [new Date(Date.parse(exp) - 1), false],
    [new Date(exp), true],
    [new Date('2099-01-01'), true]
  ] as const) {
    const page = pageOf({}, now)
    assert.is(page.includes('id="expired" class="notice bad" hidden'), !late)
    assert.is(page.includes('<span id="left">expired</span>'), late)
  }
})

test('an invalid link: no details, no script, and what to do', () => {
  const page = pageOf({ name: undefined, hub: 'Secret Hub' })
  assert.match(page, 'This invite link is not valid')
  assert.match(page, 'ask whoever invited you for a new invitation')
  for (const absent of ['<script', '<button', 'Secret Hub', 'example.com']) assert.not.ok(page.includes(absent), absent)
})

test('what the configuration, the role and the console change', () => {
  assert.match(pageOf({ role: 'admin' }), '<dt>Role</dt><dd>Administrator</dd>')
  const page = joinPage(readInvite(queryOf()), { scheme: 'harbor-dev', hasConsole: true, now: NOW })
  assert.match(page, 'data-link="harbor-dev://team-hub/join"')
  for (const hasConsole of [true, false]) {
    const page = pageOf({}, NOW, hasConsole)
    assert.is(page.includes('<a id="browser" class="button wide" role="link" aria-disabled="true">'), hasConsole)
    assert.is(page.includes('or go on in the browser'), hasConsole)
  }
})

test('it stays small', () => {
  assert.ok(Buffer.byteLength(pageOf()) < 13_000)
})

test.run()
