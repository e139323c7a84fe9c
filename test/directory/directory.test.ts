import * as assert from 'uvu/assert'
import { fields, type Reply, records, text } from '../http/client.js'
import { succeeded } from '../http/world.js'
import { directorySuite } from './setting.js'

const provider = { id: 'company', name: 'Company', issuer: 'https://id.example.com', clientId: 'hub' }
const signIn = { keyFile: 'key', providers: [{ ...provider, externalIdIsSubject: true }] }
const { test, directory } = directorySuite('a directory that keeps accounts', { config: { signIn } })

const filtered = async (filter: string, of = 'Users') =>
  fields(succeeded(await directory.get(`/${of}?filter=${encodeURIComponent(filter)}`)).body).totalResults

test('an account is bound to who signs in with the external id, once', async () => {
  const admin = directory.world.by(directory.world.admin)
  const made = succeeded(await directory.post('/Users', { userName: 'ada', externalId: '00u1' })).body
  const [bound] = records(await admin.get(`/admin/users/${text(made, 'id')}/sign-ins`), 'signIns')
  assert.equal([bound?.issuer, bound?.subject], ['https://id.example.com', '00u1'])
  const twice = await directory.post('/Users', { userName: 'eve', externalId: '00u1' })
  assert.equal([twice.status, fields(twice.body).scimType], [409, 'uniqueness'])
  const eve = `/Users/${text(succeeded(await directory.post('/Users', { userName: 'eve' })).body, 'id')}`
  const subjects = async () =>
    records(await admin.get(`/admin${eve.toLowerCase()}/sign-ins`), 'signIns').map(({ subject }) => subject)
  const set = (value: string) => directory.patch(eve, { Operations: [{ op: 'add', path: 'externalId', value }] })
  assert.is((await set('00u1')).status, 409)
  assert.equal(await subjects(), [])
  succeeded(await set('00u2'))
  assert.equal(await subjects(), ['00u2'])
  succeeded(await directory.put(eve, { userName: 'eve', externalId: '00u3' }))
  assert.equal(await subjects(), ['00u3'])
})

test('who signed in first is taken over by the directory that says who they are, once, and no administrator is', async () => {
  const admin = directory.world.by(directory.world.admin)
  const bound = async (name: string, role: string, subject: string) => {
    const id = text(fields(succeeded(await admin.post('/admin/users', { name, role })).body).user, 'id')
    succeeded(await admin.post(`/admin/users/${id}/sign-ins`, { provider: 'company', subject }))
    return id
  }
  const id = await bound('Came first', 'user', '00u8')
  const sent = { userName: 'first@example.com', externalId: '00u8', displayName: 'First' }
  const taken = succeeded(await directory.post('/Users', sent))
  assert.is(taken.status, 201)
  assert.is(text(taken.body, 'id'), id)
  assert.match(String(taken.headers.location), new RegExp(`/Users/${id}$`))
  assert.equal([fields(taken.body).userName, fields(taken.body).displayName], ['first@example.com', 'First'])
  assert.is((await directory.post('/Users', { ...sent, userName: 'second@example.com' })).status, 409)
  await bound('Runs it', 'admin', '00u9')
  assert.is((await directory.post('/Users', { userName: 'runs@example.com', externalId: '00u9' })).status, 409)
})

test('yes and no are understood as texts in whatever case, however they are sent', async () => {
  const active = async (reply: Promise<Reply>) => fields(succeeded(await reply).body).active
  for (const [text, is] of [
    ['FALSE', false],
    ['tRUE', true]
  ] as const) {
    const made = fields(succeeded(await directory.post('/Users', { userName: `said ${text}`, active: text })).body)
    assert.is(made.active, is)
    const path = `/Users/${made.id}`
    const mails = [{ value: 'a@example.com' }, { value: 'b@example.com', primary: 'TRUE' }]
    assert.is(await active(directory.put(path, { userName: `${text}`, active: text, emails: mails })), is)
    assert.is(await active(directory.patch(path, { Operations: [{ op: 'replace', value: { active: text } }] })), is)
  }
  assert.is((await directory.post('/Users', { userName: 'neither', active: 'no' })).status, 400)
})

test('it changes no account of an administrator', async () => {
  const { id } = directory.world.admin
  const off = { Operations: [{ op: 'replace', path: 'active', value: false }] }
  const { status, body } = await directory.patch(`/Users/${id}`, off)
  assert.equal([status, fields(body).detail], [403, 'Forbidden'])
  assert.is((await directory.delete(`/Users/${id}`)).status, 403)
})

test('it puts nobody but users into groups, and is told whom it may not', async () => {
  const { id } = directory.world.admin
  const user = text(fields(succeeded(await directory.post('/Users', { userName: 'Beside the admin' })).body), 'id')
  const group = text(fields(succeeded(await directory.post('/Groups', { displayName: 'Admins too' })).body), 'id')
  const add = { op: 'add', path: 'members', value: [{ value: user }, { value: id }] }
  const { status, body } = await directory.patch(`/Groups/${group}`, { Operations: [add] })
  const detail = `The account ${id} is not that of a user. Administrators alone say which groups it is in.`
  assert.equal([status, fields(body).detail], [403, detail])
  assert.is(fields(succeeded(await directory.get(`/Groups/${group}`)).body).members, undefined)
})

test('names of attributes are alike in whatever case, in whatever is sent', async () => {
  const sent = {
    USERNAME: 'Case',
    externalID: 'case-1',
    ACTIVE: false,
    displayname: 'C',
    Name: { GivenName: 'Ca', FAMILYNAME: 'Se' },
    Emails: [{ Value: 'case@example.org', PRIMARY: true }]
  }
  const kept = ({ userName, externalId, active, displayName, name, emails }: Record<string, unknown>) =>
    JSON.stringify([userName, externalId, active, displayName, name, emails])
  const meant =
    '["Case","case-1",false,"C",{"familyName":"Se","givenName":"Ca"},[{"value":"case@example.org","type":"work","primary":true}]]'
  const made = fields(succeeded(await directory.post('/Users', sent)).body)
  assert.is(kept(made), meant)
  const path = `/Users/${text(made, 'id')}`
  succeeded(await directory.put(path, { userName: 'Case' }))
  assert.is(kept(fields(succeeded(await directory.put(path, sent)).body)), meant)
  const group = { DisplayName: 'In any case', MEMBERS: [{ VALUE: text(made, 'id') }] }
  const named = fields(succeeded(await directory.post('/Groups', group)).body)
  assert.equal([named.displayName, (named.members as unknown[]).length], ['In any case', 1])
  const operation = { OP: 'Replace', Path: 'active', VALUE: true }
  assert.is(fields(succeeded(await directory.patch(path, { operations: [operation] })).body).active, true)
})

test('filters find who they are about', async () => {
  succeeded(await directory.post('/Users', { userName: 'grace@example.org', displayName: 'Grace', active: false }))
  assert.is(await filtered('userName eq "GRACE@example.org"'), 1)
  assert.is(await filtered('active eq false and displayName sw "Gr"'), 1)
  assert.is(await filtered('displayName co "nobody"'), 0)
  assert.is(await filtered('urn:ietf:params:scim:schemas:core:2.0:User:userName sw "grace"'), 1)
})

test('filters find who has a mail address, in the ways of Okta and Entra', async () => {
  const emails = [{ value: 'mail@example.org', type: 'work', primary: true }]
  succeeded(await directory.post('/Users', { userName: 'mail', emails }))
  for (const filter of ['emails.value eq "mail@example.org"', 'emails[type eq "work"].value eq "MAIL@example.org"'])
    assert.is(await filtered(filter), 1, filter)
  assert.is(await filtered('emails[type eq "work"].value eq "nobody@example.org"'), 0)
  const other = await directory.get(`/Users?filter=${encodeURIComponent('ims[type eq "work"].value eq "x"')}`)
  assert.equal([other.status, fields(other.body).scimType], [400, 'invalidFilter'])
})

/** How many rows an answer takes. */
async function rowsFor(path: string): Promise<number> {
  const { readModel } = directory.world.hub.hub.ledger
  const { list, getAll, getPage } = readModel
  let rows = 0
  const counted = (ask: typeof list | typeof getAll | typeof getPage) =>
    async function (this: typeof readModel, ...asked: readonly unknown[]) {
      const found: readonly unknown[] = await Reflect.apply(ask, this, asked)
      rows += found.length
      return found
    }
  Object.assign(readModel, { list: counted(list), getAll: counted(getAll), getPage: counted(getPage) })
  try {
    succeeded(await directory.get(path))
  } finally {
    Object.assign(readModel, { list, getAll, getPage })
  }
  return rows
}

test('who is looked up by a name or an external id, and a page, cost what they have and not what is there', async () => {
  for (let i = 0; i < 20; i++)
    succeeded(await directory.post('/Users', { userName: `row-${i}`, externalId: `Row-${i}` }))
  for (const filter of ['userName eq "ROW-3"', 'externalId eq "Row-3"', 'externalId eq "Row-30"'])
    assert.ok((await rowsFor(`/Users?filter=${encodeURIComponent(filter)}`)) < 10, filter)
  assert.ok((await rowsFor('/Users?startIndex=5&count=3')) < 10)
  for (let i = 0; i < 12; i++) succeeded(await directory.post('/Groups', { displayName: `row-${i}` }))
  assert.ok((await rowsFor('/Groups?startIndex=5&count=3')) < 10)
  assert.equal([await filtered('externalId eq "Row-3"'), await filtered('externalId eq "row-3"')], [1, 0])
  const [three] = records(
    await directory.get(`/Users?filter=${encodeURIComponent('externalId eq "Row-3"')}`),
    'Resources'
  )
  succeeded(await directory.put(`/Users/${text(three, 'id')}`, { userName: 'row-3' }))
  assert.equal([await filtered('externalId eq "Row-3"'), await filtered('externalId eq ""')], [0, 0])
})

test('an external id may be any text', async () => {
  for (const externalId of ['a\0b', '\ud800', '\u200b', '\ufdfa'.repeat(500)]) {
    const made = await directory.post('/Users', {
      userName: `any ${externalId.length}${externalId.charCodeAt(0)}`,
      externalId
    })
    assert.is(made.status, 201, made.text)
    assert.is(
      await filtered(`externalId eq ${JSON.stringify(externalId.slice(0, 100))}`),
      externalId.length > 100 ? 0 : 1
    )
  }
})

test('pages follow each other without gap or double', async () => {
  for (let i = 0; i < 5; i++) succeeded(await directory.post('/Users', { userName: `page-${i}` }))
  const { totalResults } = fields(succeeded(await directory.get('/Users?count=0')).body)
  const seen: unknown[] = []
  for (let startIndex = 1; startIndex <= Number(totalResults); startIndex += 2) {
    const page = await directory.get(`/Users?startIndex=${startIndex}&count=2`)
    seen.push(...records(page, 'Resources').map(({ id }) => id))
  }
  assert.is(new Set(seen).size, totalResults)
  assert.is(seen.length, totalResults)
})

test('two changes of one account at once are both made', async () => {
  const id = text(succeeded(await directory.post('/Users', { userName: 'both' })).body, 'id')
  const change = (path: string) =>
    directory.patch(`/Users/${id}`, { Operations: [{ op: 'replace', path, value: 'x' }] }).then(succeeded)
  await Promise.all(['displayName', 'name.givenName', 'name.familyName', 'externalId'].map(change))
  const { displayName, name, externalId } = fields(succeeded(await directory.get(`/Users/${id}`)).body)
  assert.equal([displayName, name, externalId], ['x', { familyName: 'x', givenName: 'x' }, 'x'])
})

test('every address that it is told is one that can be got', async () => {
  succeeded(await directory.post('/Users', { userName: 'located' }))
  succeeded(await directory.post('/Groups', { displayName: 'Located' }))
  const lists = ['/ResourceTypes', '/Schemas', '/Users?count=1', '/Groups?count=1']
  const resources = (
    await Promise.all(lists.map(async (path) => records(await directory.get(path), 'Resources')))
  ).flat()
  resources.push(fields(succeeded(await directory.get('/ServiceProviderConfig')).body))
  assert.is(resources.length, 7)
  for (const resource of resources) {
    const path = text(resource.meta, 'location').split('/scim/v2')[1] ?? ''
    assert.equal(succeeded(await directory.get(path)).body, resource, path)
  }
  for (const path of ['/Schemas/urn:x', '/ResourceTypes/Other'])
    assert.is((await directory.get(path)).status, 404, path)
})

test('what a directory does not say of an account that is disabled stays so', async () => {
  const made = succeeded(await directory.post('/Users', { userName: 'unsaid', active: false })).body
  const path = `/Users/${text(made, 'id')}`
  const active = (reply: Reply) => fields(succeeded(reply).body).active
  const remove = { Operations: [{ op: 'remove', path: 'active' }] }
  assert.is(active(await directory.put(path, { userName: 'unsaid' })), false)
  assert.is(active(await directory.put(path, { userName: 'unsaid', active: null })), false)
  assert.is(active(await directory.patch(path, remove)), false)
  assert.is(active(await directory.put(path, { userName: 'unsaid', active: true })), true)
  assert.is(active(await directory.patch(path, remove)), true)
  assert.is(active(await directory.put(path, { userName: 'unsaid' })), true)
})

test('whom an administrator has disabled no directory lets in again, and what else it says is kept', async () => {
  const id = text(succeeded(await directory.post('/Users', { userName: 'gone' })).body, 'id')
  const secret = await directory.tokenOf(id)
  const admin = directory.world.by(directory.world.admin)
  succeeded(await admin.post(`/admin/users/${id}/disable`))
  const path = `/Users/${id}`
  const operations = (...Operations: readonly object[]) => directory.patch(path, { Operations })
  const answers = [
    await directory.put(path, { userName: 'gone', displayName: 'Put' }),
    await directory.put(path, { userName: 'gone', displayName: 'Put active', active: true }),
    await operations({ op: 'remove', path: 'active' }),
    await operations({ op: 'replace', path: 'active', value: 'True' }),
    await operations({ op: 'replace', path: 'active', value: false }),
    await operations({ op: 'replace', value: { active: true, displayName: 'Patched' } })
  ]
  for (const { status, body, text } of answers) assert.equal([status, fields(body).active], [200, false], text)
  assert.is(fields(answers.at(-1)?.body).displayName, 'Patched')
  assert.is(await directory.world.statusWith(secret), 401)
  succeeded(await admin.post(`/admin/users/${id}/enable`))
  assert.is(await directory.world.statusWith(secret), 200)
})

const CORE = 'urn:ietf:params:scim:schemas:core:2.0:User'
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

test('attributes under the name of their own schema are changed, those of another are left out', async () => {
  const id = text(succeeded(await directory.post('/Users', { userName: 'schema' })).body, 'id')
  const patch = async (...Operations: readonly object[]) =>
    fields(succeeded(await directory.patch(`/Users/${id}`, { Operations })).body)
  const replace = (value: object) => patch({ op: 'replace', value })
  assert.is((await replace({ [`${CORE}:active`]: false })).active, false)
  assert.is((await replace({ [`${CORE.toUpperCase()}:active`]: 'True' })).active, true)
  assert.is((await replace({ [CORE]: { active: false } })).active, false)
  assert.is((await patch({ op: 'replace', path: CORE, value: { active: true } })).active, true)
  assert.is((await patch({ op: 'replace', path: `${CORE.toUpperCase()}:active`, value: false })).active, false)
  const { displayName, name } = await replace({
    [`${CORE}:displayName`]: 'Ada',
    [`${CORE}:name.familyName`]: 'Lovelace',
    [`${ENTERPRISE}:department`]: 'Payments',
    [ENTERPRISE]: { department: 'Payments' },
    'urn:ietf:params:scim:schemas:core:2.0:Group:displayName': 'Group'
  })
  assert.equal([displayName, name], ['Ada', { familyName: 'Lovelace' }])
  const group = { op: 'replace', path: 'urn:ietf:params:scim:schemas:core:2.0:Group:displayName', value: 'Group' }
  assert.is((await patch(group)).displayName, 'Ada')
})

test('members under the name of their own schema are members', async () => {
  const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
  const user = text(succeeded(await directory.post('/Users', { userName: 'member' })).body, 'id')
  const id = text(succeeded(await directory.post('/Groups', { displayName: 'Schema' })).body, 'id')
  const value = { [`${GROUP}:members`]: [{ value: user }], [`${GROUP}:displayName`]: 'Own schema' }
  const { body } = succeeded(await directory.patch(`/Groups/${id}`, { Operations: [{ op: 'add', value }] }))
  assert.equal([fields(body).displayName, fields(body).members], ['Own schema', [{ value: user, display: 'member' }]])
})

/** What a broken or hostile directory sends: of each the answer is a refusal, quickly, and nothing changes. */
const hostile: readonly (readonly [what: string, path: string, body?: unknown])[] = [
  ['parentheses without end', `/Users?filter=${encodeURIComponent('('.repeat(900))}`],
  ['many conditions', `/Users?filter=${encodeURIComponent(Array(60).fill('a.b eq "c"').join(' or '))}`],
  ['nots in nots', `/Users?filter=${encodeURIComponent(`${'not ('.repeat(150)}a eq 1${')'.repeat(150)}`)}`],
  ['brackets in brackets', `/Users?filter=${encodeURIComponent(`${'emails['.repeat(100)}a eq 1${']'.repeat(100)}`)}`],
  ['quotes without end', `/Users?filter=${encodeURIComponent(`userName eq "${'\\'.repeat(500)}`)}`],
  [
    'a path with quotes without end',
    '/Users/x',
    { Operations: [{ op: 'add', path: `emails[type eq "${'\\'.repeat(300)}`, value: 'x' }] }
  ],
  ['a page before the first', '/Users?startIndex=-5&count=-1'],
  ['too many operations', '/Users/x', { Operations: Array(101).fill({ op: 'add', path: 'active', value: true }) }],
  ['no operations', '/Users/x', {}],
  ['a list for an object', '/Users/x', { Operations: [{ op: 'replace', value: [1, 2, 3] }] }]
]
for (const [what, path, body] of hostile)
  test(`${what}: answered at once, and nothing changes`, async () => {
    const before = directory.world.position()
    const id = text(fields(records(await directory.get('/Users?count=1'), 'Resources')[0]), 'id')
    const begun = performance.now()
    const answer = body ? await directory.patch(path.replace('x', id), body) : await directory.get(path)
    assert.ok(answer.status < 500, answer.text)
    if (body) assert.is(answer.status, 400, answer.text)
    assert.ok(performance.now() - begun < 2000, 'it has taken long')
    assert.is(directory.world.position(), before)
  })

test.run()
