import * as assert from 'uvu/assert'
import { FIELDS, type Part } from '../../../clients/console/src/model/forms.js'
import { type Choice, idOf, merge } from '../../../clients/console/src/model/merge.js'
import { suite } from '../../support/suite.js'

const test = suite('merging what two people made of a record')

const row = (key: string, value = key, enabled = true) => ({ key, value, enabled })
const base: Part = { name: 'Refund', url: '/v1', headers: [row('Accept'), row('X-Old')], comment: '' }
const fields = ['name', 'url', 'headers', 'comment'] as const

function merged(mine: Part, theirs: Part, choices: readonly (readonly [string, Choice])[] = []) {
  const outcome = merge(fields, { base, mine: { ...base, ...mine }, theirs: { ...base, ...theirs } }, new Map(choices))
  return { ...outcome, taken: outcome.taken.map(idOf), conflicts: outcome.conflicts.map(idOf) }
}

test('a field that one of them has changed is as they made it', () => {
  const { form, taken, conflicts } = merged({ name: 'Refunds' }, { url: '/v2' })
  assert.equal(form, { ...base, name: 'Refunds', url: '/v2' })
  assert.equal([taken, conflicts], [['url'], []])
})

test('what both have changed in the same way is settled, and nothing to tell', () => {
  assert.equal(merged({ url: '/v2' }, { url: '/v2' }), { form: { ...base, url: '/v2' }, taken: [], conflicts: [] })
})

test('a field that both have changed is mine until somebody chooses', () => {
  const [mine, theirs] = [{ url: '/mine' }, { url: '/theirs' }]
  assert.equal(merged(mine, theirs).conflicts, ['url'])
  assert.is(merged(mine, theirs).form.url, '/mine')
  assert.is(merged(mine, theirs, [['url', 'theirs']]).form.url, '/theirs')
  assert.is(merged(mine, theirs, [['url', 'mine']]).form.url, '/mine')
  assert.is(merged(mine, theirs, [['url', { text: '/both' }]]).form.url, '/both')
})

test('rows are merged one by one', () => {
  const mine = { headers: [row('Accept', 'text/html'), row('X-Old'), row('X-Mine')] }
  const theirs = { headers: [row('X-Theirs'), row('Accept')] }
  const { form, taken, conflicts } = merged(mine, theirs)
  assert.equal(form.headers, [row('X-Theirs'), row('Accept', 'text/html'), row('X-Mine')])
  assert.equal([taken, conflicts], [['headers/X-Theirs', 'headers/X-Old'], []])
})

test('a row that both have changed, or one has changed and the other removed, is chosen by itself', () => {
  const mine = { headers: [row('Accept', 'a'), row('X-Old', 'kept')] }
  const theirs = { headers: [row('Accept', 'b')] }
  assert.equal(merged(mine, theirs).conflicts, ['headers/Accept', 'headers/X-Old'])
  const choices = [['headers/Accept', 'theirs'] as const, ['headers/X-Old', 'theirs'] as const]
  assert.equal(merged(mine, theirs, choices).form.headers, theirs.headers)
  assert.equal(merged(mine, theirs, choices.slice(1)).form.headers, [row('Accept', 'a')])
})

test('the order is that of who has changed it', () => {
  const turned = { headers: [row('X-Old'), row('Accept')] }
  assert.equal(merged({}, turned).form.headers, turned.headers)
  const more = { headers: [row('Accept'), row('X-Old'), row('X-New')] }
  assert.equal(merged(more, turned).form.headers, [row('X-Old'), row('X-New'), row('Accept')])
  assert.equal(merged(turned, more).form.headers, [row('X-Old'), row('X-New'), row('Accept')])
})

test('rows of the same name, and two other orders, are one thing to choose', () => {
  const twice = { headers: [row('Accept', 'a'), row('Accept', 'b'), row('X-Old')] }
  const other = { headers: [row('Accept', 'c'), row('X-Old')] }
  assert.equal(merged(twice, other).conflicts, ['headers'])
  assert.equal(merged(twice, other, [['headers', 'theirs']]).form.headers, other.headers)
  const three = [row('a'), row('b'), row('c')]
  const [a, b, c] = three
  const sides = { base: { headers: three }, mine: { headers: [b, a, c] }, theirs: { headers: [a, c, b] } }
  const outcome = merge(['headers'], sides as { readonly [K in keyof typeof sides]: Part })
  assert.equal(outcome.conflicts.map(idOf), ['headers'])
})

test('the authorization is one thing', () => {
  const auth = (type: 'none' | 'bearer', token: string) => ({
    type,
    basic: { username: '', password: '' },
    bearer: { token }
  })
  const sides = {
    base: { auth: auth('none', '') },
    mine: { auth: auth('bearer', 'a') },
    theirs: { auth: auth('bearer', 'b') }
  }
  assert.equal(merge(FIELDS.request, sides).conflicts.map(idOf), ['auth'])
})

test.run()
