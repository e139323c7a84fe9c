import * as assert from 'uvu/assert'
import { fields, type Reply, text } from '../http/client.js'
import { succeeded } from '../http/world.js'
import { directorySuite } from './setting.js'

const { test, directory } = directorySuite('the versions of what a directory keeps')

let made = 0
const next = () => `one-${++made}`
const versionIn = ({ body }: Reply) => text(fields(body).meta, 'version')
const STALE = 'W/"999999"'

/** The two kinds of resource, each with what makes one, and a change of it. */
const kinds = [
  { of: 'Users', named: 'userName', change: { op: 'replace', path: 'displayName', value: 'Changed' } },
  { of: 'Groups', named: 'displayName', change: { op: 'replace', path: 'externalId', value: 'Changed' } }
] as const

for (const { of, named, change } of kinds) {
  const one = async () => {
    const reply = succeeded(await directory.post(`/${of}`, { [named]: next() }))
    return { reply, path: `/${of}/${text(reply.body, 'id')}` }
  }
  const patch = { Operations: [change] }

  test(`${of}: every answer with one of them has its version as the entity tag`, async () => {
    const { reply, path } = await one()
    const all = [
      reply,
      await directory.get(path),
      await directory.get(`${path}?attributes=id`),
      await directory.put(path, { [named]: next() }),
      await directory.patch(path, patch)
    ]
    for (const answer of all) assert.is(succeeded(answer).headers.etag, versionIn(answer))
    assert.match(versionIn(reply), /^W\/"[^"]+"$/)
    assert.is.not(versionIn(reply), all.at(-1)?.headers.etag)
  })

  test(`${of}: a change of a version that is no more is refused, and changes nothing`, async () => {
    const { reply, path } = await one()
    const old = versionIn(reply)
    succeeded(await directory.patch(path, patch))
    const before = directory.world.position()
    for (const match of [STALE, old, `${STALE}, ${old}`, 'nonsense', ''])
      for (const answer of [
        await directory.put(path, { [named]: next() }, { 'if-match': match }),
        await directory.patch(path, { Operations: [{ ...change, value: 'Other' }] }, { 'if-match': match }),
        await directory.delete(path, { 'if-match': match })
      ]) {
        assert.equal([answer.status, fields(answer.body).status], [412, '412'], `${match}: ${answer.text}`)
        assert.match(String(answer.headers['content-type']), /^application\/scim\+json/)
        assert.equal(fields(answer.body).schemas, ['urn:ietf:params:scim:api:messages:2.0:Error'])
      }
    assert.is(directory.world.position(), before)
  })

  test(`${of}: a change of the version that is there, or of whatever is there, is made`, async () => {
    const { reply, path } = await one()
    const put = (match: string) => directory.put(path, { [named]: next() }, { 'if-match': match })
    const first = succeeded(await put(versionIn(reply)))
    const second = succeeded(await put(`${STALE}, ${versionIn(first)}`))
    const third = succeeded(await put('*'))
    const strong = versionIn(third).slice('W/'.length)
    const fourth = succeeded(await directory.patch(path, patch, { 'if-match': strong }))
    assert.is(new Set([first, second, third, fourth].map(versionIn)).size, 4)
    assert.is((await directory.delete(path, { 'if-match': versionIn(fourth) })).status, 204)
  })

  test(`${of}: of changes of the same version at once, one is made`, async () => {
    const { reply, path } = await one()
    const match = { 'if-match': versionIn(reply) }
    const answers = await Promise.all([
      ...[1, 2].map(() => directory.put(path, { [named]: next() }, match)),
      ...['x', 'y'].map((value) => directory.patch(path, { Operations: [{ ...change, value }] }, match))
    ])
    assert.equal(
      answers.map(({ status }) => status).toSorted(),
      [200, 412, 412, 412],
      answers.map((one) => one.text).join()
    )
  })

  test(`${of}: who has the version that is there gets 304 without a body`, async () => {
    const { reply, path } = await one()
    const known = versionIn(reply)
    const get = (tag: string) => directory.get(path, { 'if-none-match': tag })
    for (const tag of [known, known.slice('W/'.length), `${STALE}, ${known}`, '*']) {
      const { status, text, headers } = await get(tag)
      assert.equal([status, text, headers.etag], [304, '', known], tag)
    }
    assert.is((await get(STALE)).status, 200)
    succeeded(await directory.patch(path, patch))
    assert.is((await get(known)).status, 200)
  })
}

test('who is in a group is part of its version, whoever says so', async () => {
  const user = text(succeeded(await directory.post('/Users', { userName: next() })).body, 'id')
  const made = succeeded(await directory.post('/Groups', { displayName: next() }))
  const path = `/Groups/${text(made.body, 'id')}`
  const members = (op: string) => ({ Operations: [{ op, path: 'members', value: [{ value: user }] }] })
  const filled = succeeded(await directory.patch(path, members('add'), { 'if-match': versionIn(made) }))
  assert.is.not(versionIn(filled), versionIn(made))
  const stale = await directory.patch(path, members('remove'), { 'if-match': versionIn(made) })
  assert.is(stale.status, 412)
  assert.is(versionIn(succeeded(await directory.get(`${path}?excludedAttributes=members`))), versionIn(filled))
  const admin = directory.world.by(directory.world.admin)
  succeeded(await admin.delete(`/admin${path.toLowerCase()}/members/${user}`))
  assert.is((await directory.delete(path, { 'if-match': versionIn(filled) })).status, 412)
  assert.is((await directory.get(path, { 'if-none-match': versionIn(filled) })).status, 200)
})

test('another group of a member changes nothing about the version of a group', async () => {
  const user = text(succeeded(await directory.post('/Users', { userName: next() })).body, 'id')
  const group = () => directory.post('/Groups', { displayName: next(), members: [{ value: user }] }).then(succeeded)
  const first = await group()
  await group()
  assert.is(versionIn(succeeded(await directory.get(`/Groups/${text(first.body, 'id')}`))), versionIn(first))
})

test('another name of a member is told to who has the group with it, and holds up no change of the group', async () => {
  const user = text(succeeded(await directory.post('/Users', { userName: next() })).body, 'id')
  const members = [{ value: user }]
  const group = succeeded(await directory.post('/Groups', { displayName: next(), members }))
  const path = `/Groups/${text(group.body, 'id')}`
  const userName = next()
  succeeded(await directory.put(`/Users/${user}`, { userName }))
  const fresh = await directory.get(path, { 'if-none-match': versionIn(group) })
  assert.equal([fresh.status, fields(fresh.body).members], [200, [{ value: user, display: userName }]])
  const put = { displayName: next(), members }
  succeeded(await directory.put(path, put, { 'if-match': versionIn(group) }))
})

test('a group that is gone is told to who has the account with it, and holds no change of the account', async () => {
  const user = text(succeeded(await directory.post('/Users', { userName: next() })).body, 'id')
  const group = succeeded(await directory.post('/Groups', { displayName: next(), members: [{ value: user }] }))
  const known = succeeded(await directory.get(`/Users/${user}`))
  succeeded(await directory.delete(`/Groups/${text(group.body, 'id')}`))
  const fresh = succeeded(await directory.get(`/Users/${user}`, { 'if-none-match': versionIn(known) }))
  assert.equal([fresh.status, fields(fresh.body).groups], [200, undefined])
  const put = { userName: next() }
  succeeded(await directory.put(`/Users/${user}`, put, { 'if-match': versionIn(known) }))
})

test.run()
