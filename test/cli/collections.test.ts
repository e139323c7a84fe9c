import * as assert from 'uvu/assert'
import { z } from 'zod'
import { suite } from '../support/suite.js'
import { generic } from './generic.js'
import { type Home, migratedHome } from './support.js'

const test = suite('collection list')
let home: Home
let agent: { readonly tokenId: string; readonly address: null; readonly requestId: null }
let userId: string

const created = z.object({ user: z.looseObject({ id: z.string() }), token: z.looseObject({ id: z.string() }) })
const everything = ['--collection-access', '*']

test.before(async () => {
  home = await migratedHome()
  const ada = created.parse(await home.json('user', 'create', '--name', 'Ada', '--role', 'user', ...everything))
  agent = { tokenId: ada.token.id, address: null, requestId: null }
  userId = ada.user.id
  await home.withLedger(async (ledger) => {
    await ledger.run({ type: 'CreateCollection', id: 'zoo', name: 'Zoo' }, agent)
    await ledger.run({ type: 'CreateCollection', id: 'arc', name: 'Ark' }, agent)
  })
})

const block = (id: string, name: string, person: string) => `- id: ${id}
  name: ${name}
  requests: 0
  created: TIME
  updated: TIME
  created by: ${person}
  updated by: ${person}
`

test('collections are listed by name with who made them', async () => {
  const { code, stdout, stderr } = await home.here('collection', 'list')
  assert.equal([code, stderr], [0, ''])
  assert.is(generic(stdout), block('arc', 'Ark', 'Ada (ID)') + block('zoo', 'Zoo', 'Ada (ID)'))
  const { collections } = z
    .object({ collections: z.array(z.looseObject({ id: z.string(), createdAt: z.string() })) })
    .parse(await home.json('collection', 'list'))
  const [first] = collections
  assert.equal(first, {
    id: 'arc',
    name: 'Ark',
    deletionLocked: false,
    requests: 0,
    createdAt: first?.createdAt,
    updatedAt: first?.createdAt,
    createdByUserId: userId,
    updatedByUserId: userId
  })
})

test('who may see a collection is listed with what they may do and why', async () => {
  const make = (name: string) => home.json('user', 'create', '--name', name, '--role', 'user')
  for (const name of ['Cleo', 'Dora', 'Emil']) await make(name)
  await home.json('user', 'grant', 'Cleo', 'Ark', '--role', 'viewer')
  await home.json('group', 'create', '--name', 'Payments', '--collection-access', 'arc')
  await home.json('group', 'add', 'Payments', 'Dora')
  const access = z.object({ id: z.string(), name: z.string(), sharing: z.array(z.looseObject({ userId: z.string() })) })
  const { sharing, ...collection } = access.parse(await home.json('collection', 'access', 'Ark'))
  assert.equal(collection, { id: 'arc', name: 'Ark' })
  assert.equal(
    sharing.map(({ userId: _, ...how }) => how),
    [
      { name: 'Ada', role: 'editor', by: 'list' },
      { name: 'Cleo', role: 'viewer', by: 'grant' },
      { name: 'Dora', role: 'editor', by: 'group', group: 'Payments' }
    ]
  )
  const { stdout } = await home.here('collection', 'access', 'Ark')
  assert.match(generic(stdout), /name: Dora\n +role: editor\n +why: through group Payments\n/)
  const { code, stderr } = await home.here('collection', 'access', 'nothing')
  assert.equal([code, stderr === ''], [1, false])
})

test('access to a collection that is gone is warned of, and whose collections they were is forgotten', async () => {
  const bob = created.parse(
    await home.json('user', 'create', '--name', 'Bob', '--role', 'user', '--collection-access', 'zoo')
  )
  await home.withLedger(async (ledger) => void (await ledger.run({ type: 'DeleteCollection', id: 'zoo' }, agent)))
  const { code, stderr } = await home.here('user', 'list')
  assert.equal([code, stderr], [0, `Warning: Bob (${bob.user.id}): Unknown collection id "zoo".\n`])
  await home.here('user', 'delete', userId, '--yes')
  assert.is(generic((await home.here('collection', 'list')).stdout), block('arc', 'Ark', '-'))
})

test.run()
