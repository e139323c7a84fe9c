import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { ROLES, type Role } from '../../commands/people/user/events.js'
import { fields, type Reply, text } from './client.js'
import { sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { succeeded } from './world.js'

const { test, world } = hubSuite('accounts of every role, for clients that know two', sqlite)

// One value that they do not know fails their whole answer.
const role = z.enum(['user', 'admin'])
const user = z.object({ id: z.string(), role, exactRole: z.string() })
const users = z.object({ users: z.array(user) })
const about = z.object({ user })
const preview = z.object({ user: user.omit({ id: true }) })

const TOLD = { user: 'user', admin: 'admin', accountAdmin: 'user', auditor: 'user' } as const
const byAdmin = () => world.by(world.admin)
/** The roles that an answer tells of an account. */
const rolesOf = <B>(schema: z.ZodType<{ readonly user: B }>, reply: Reply) => schema.parse(succeeded(reply).body).user

const each = async <T>(of: (role: Role) => Promise<T>) => {
  for (const role of ROLES) await of(role)
}

test('a list with an account of each role is read, and says beside it which is which', async () => {
  const ids = new Map<string, Role>()
  await each(async (role) => ids.set((await world.user({}, role)).id, role))
  const listed = users.parse(succeeded(await byAdmin().get('/admin/users')).body).users
  const found = listed.flatMap(({ id, ...roles }) => (ids.has(id) ? [roles] : []))
  assert.equal(
    new Set(found.map(({ role, exactRole }) => `${exactRole} as ${role}`)),
    new Set(['user as user', 'admin as admin', 'accountAdmin as user', 'auditor as user'])
  )
  const picked = succeeded(await byAdmin().get('/admin/users?fields=role,exactRole'))
  assert.equal(
    users.parse(picked.body).users,
    listed.map(({ id, role, exactRole }) => ({ id, role, exactRole }))
  )
})

test('so is each account, who is signed in and what an invitation is for', () =>
  each(async (exactRole) => {
    const told = { role: TOLD[exactRole], exactRole }
    const one = await world.user({}, exactRole)
    const path = `/admin/users/${one.id}`
    assert.equal(rolesOf(about, await world.by(one).get('/auth/session')), { id: one.id, ...told })
    assert.equal(user.parse(succeeded(await byAdmin().get(path)).body), { id: one.id, ...told })
    const disabled = succeeded(await byAdmin().post(`${path}/disable`))
    assert.equal(user.parse(disabled.body), { id: one.id, ...told })
    succeeded(await byAdmin().post(`${path}/enable`))
    const issued = await byAdmin().post(`${path}/invitations`, {})
    assert.equal(rolesOf(about, issued), { id: one.id, ...told })
    const secret = text(issued.body, 'secret')
    const looked = await world.hub.send({ method: 'POST', path: '/auth/invitations/preview', body: { secret } })
    assert.equal(rolesOf(preview, looked), told)
  }))

test('an account is made with any role, and the exact one that is sent counts before the other', () =>
  each(async (exactRole) => {
    const told = { role: TOLD[exactRole], exactRole }
    for (const path of ['/admin/users', '/admin/invited-users']) {
      for (const roles of [{ role: exactRole }, told]) {
        const made = rolesOf(about, await byAdmin().post(path, { name: randomUUID(), ...roles }))
        assert.equal({ ...made, id: '' }, { id: '', ...told })
      }
    }
  }))

const refusal = (role: string) =>
  `The role of this account is "${role}", which some clients are told as "user": nothing was changed. Change the account in the console, or send exactRole.`

for (const exactRole of ['accountAdmin', 'auditor'] as const) {
  test(`what a client sends back that was told an ${exactRole} as a user is refused, and changes nothing`, async () => {
    const { id, name } = await world.user({}, exactRole)
    const path = `/admin/users/${id}`
    const lists = { collectionAccess: [], environmentAccess: [] }
    const form = {
      name: `${name} B.`,
      role: 'user',
      ...lists,
      llmAccess: false,
      llmModels: [],
      llmMonthlyTokenLimit: null
    }
    await world.refused(409, () => byAdmin().put(path, form), refusal(exactRole))
    assert.equal(fields((await byAdmin().get(path)).body).name, name)
    // The exact role is what is decided by, also where nobody has sent one.
    const named = succeeded(await byAdmin().put(path, { name: `${name} C.` }))
    assert.equal(user.parse(named.body), { id, role: 'user', exactRole })
  })

  test(`the account of an ${exactRole} is changed by who sends its exact role, and may become that of a user`, async () => {
    const { id, name } = await world.user({}, exactRole)
    const path = `/admin/users/${id}`
    const as = (changed: Reply) => {
      const { role, exactRole } = user.parse(succeeded(changed).body)
      return [role, exactRole]
    }
    // An avatar that is sent is chosen.
    const { avatarInitials: _, avatarColor: __, ...before } = fields(succeeded(await byAdmin().get(path)).body)
    const position = world.position()
    assert.equal(as(await byAdmin().put(path, before)), ['user', exactRole])
    assert.is(world.position(), position, 'what was sent back as it was has changed something')
    const renamed = await byAdmin().put(path, { ...before, name: `${name} B.` })
    assert.equal([...as(renamed), fields(renamed.body).name], ['user', exactRole, `${name} B.`])
    assert.equal(as(await byAdmin().put(path, { role: 'user', exactRole: 'user' })), ['user', 'user'])
    assert.equal(as(await byAdmin().put(path, { exactRole })), ['user', exactRole])
    assert.equal(as(await byAdmin().put(path, { role: 'admin' })), ['admin', 'admin'])
    assert.equal(as(await byAdmin().put(path, { role: exactRole })), ['user', exactRole])
  })
}

test('a client that was told everything there is takes the role of an administrator as ever', async () => {
  const { id } = await world.user({}, 'admin')
  const changed = await byAdmin().put(`/admin/users/${id}`, { role: 'user' })
  assert.equal(user.parse(succeeded(changed).body), { id, role: 'user', exactRole: 'user' })
})

test('an administrator of accounts gives and takes no other role, by whichever name it is sent', async () => {
  const [ofAccounts, some, auditor] = [
    await world.user({}, 'accountAdmin'),
    await world.user(),
    await world.user({}, 'auditor')
  ]
  const by = world.by(ofAccounts)
  for (const exactRole of ['admin', 'accountAdmin', 'auditor'] as const) {
    const roles = { role: TOLD[exactRole], exactRole }
    for (const path of ['/admin/users', '/admin/invited-users'])
      await world.refused(403, () => by.post(path, { name: randomUUID(), ...roles }), 'Forbidden')
    await world.refused(403, () => by.put(`/admin/users/${some.id}`, roles), 'Forbidden')
  }
  for (const roles of [{ role: 'user' }, { exactRole: 'user' }])
    await world.refused(403, () => by.put(`/admin/users/${auditor.id}`, roles), 'Forbidden')
})

test('who changes one of the two in what was answered, and sends both, is refused', async () => {
  const { id, name } = await world.user()
  const differ = /^exactRole: It says another role than role does/
  for (const roles of [
    { role: 'admin', exactRole: 'user' },
    { role: 'auditor', exactRole: 'accountAdmin' }
  ]) {
    await world.refused(400, () => byAdmin().put(`/admin/users/${id}`, { name, ...roles }), differ)
    await world.refused(400, () => byAdmin().post('/admin/users', { name: randomUUID(), ...roles }), differ)
  }
})

test('a role that there is not is refused as either', async () => {
  const { id } = await world.user()
  const wrong = (body: object) => () => byAdmin().put(`/admin/users/${id}`, body)
  await world.refused(400, wrong({ role: 'root' }), 'Role must be "admin" or "user".')
  await world.refused(400, wrong({ exactRole: 'root' }), /^exactRole: /)
})

test.run()
