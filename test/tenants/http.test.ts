import * as assert from 'uvu/assert'
import { type Call, fields, type Reply, records, text } from '../http/client.js'
import { sqlite, usualDrivers } from '../http/drivers.js'
import { queryOf } from '../http/join/invites.js'
import { everything, succeeded, World } from '../http/world.js'
import { makeTenant, named, type Teams, type TestTenant, teamsSuite } from './support.js'

const STEP_MS = 250
const ELSEWHERE = ['', 'beta', 'nobody'] as const
const host = (name: string) => ({ host: name })

for (const driver of usualDrivers) {
  const test = teamsSuite('tenants over HTTP', driver, begin, {
    config: {
      tenants: { acme: { hosts: ['Acme.example.com'] } },
      signIn: {
        keyFile: 'key',
        providers: [{ id: 'company', name: 'Company', issuer: 'https://id.example.com', clientId: 'hub' }]
      }
    }
  })
  let teams: Teams
  let acme: TestTenant
  let beta: TestTenant
  let world: World

  async function begin(made: Teams) {
    teams = made
    acme = await teams.tenant('acme', { name: 'Acme Inc' })
    beta = await teams.tenant('beta')
    world = await World.of(acme)
  }

  const session = async (token: string, headers: Call['headers']) => {
    const { body } = succeeded(
      await teams.hub.send({ method: 'GET', path: '/auth/session', token, ...(headers && { headers }) })
    )
    const { tenantId, hub } = fields(body)
    return [tenantId, fields(hub).name, fields(hub).initials]
  }

  test('a session says which tenant it is of, by the header or by the host, and what that is called', async () => {
    const { token } = world.owner
    const own = ['acme', 'Acme Inc', 'AI']
    for (const headers of [named('acme'), named(' acme '), host('acme.example.com'), host('ACME.example.com:8787')])
      assert.equal(await session(token, headers), own)
    const itself = ['__default__', 'Default', 'DE']
    const { admin } = teams.hub
    for (const headers of [
      undefined,
      named(''),
      host('other.example.com'),
      { ...host('acme.example.com'), ...named('__default__') }
    ])
      assert.equal(await session(admin.token, headers), itself)
    assert.equal(await session(beta.admin.token, { ...host('acme.example.com'), ...named('beta') }), [
      'beta',
      'Team beta',
      'TB'
    ])
  })

  test('signing in with a provider, which is that of the hub itself, is offered at no address of a tenant', async () => {
    const offered = async (headers: Call['headers'] = {}) =>
      records(await teams.hub.send({ method: 'GET', path: '/auth/sign-in', headers }), 'providers').length
    assert.is(await offered(), 1)
    for (const headers of [host('acme.example.com'), named('acme'), named('nobody')]) {
      assert.is(await offered(headers), 0)
      assert.is((await teams.hub.send({ method: 'GET', path: '/auth/sign-in/company', headers })).status, 404)
    }
  })

  test('the avatar of a tenant is its own', async () => {
    succeeded(await world.by(world.admin).put('/admin/hub/avatar', { initials: 'ZZ' }))
    assert.is((await session(world.owner.token, named('acme')))[2], 'ZZ')
    assert.is((await session(teams.hub.admin.token, undefined))[2], 'DE')
    assert.is((await session(beta.admin.token, named('beta')))[2], 'TB')
  })

  test('a tenant that is renamed has its new name at the next request', async () => {
    await teams.hub.run({ type: 'RenameTenant', id: beta.made.recordId, name: 'Better' })
    assert.is((await session(beta.admin.token, named('beta')))[1], 'Better')
  })

  test('accounts of the same name are in each tenant, and each has its records alone', async () => {
    const people = await World.of(beta)
    const id = await world.collection('Shared name')
    const other = await people.collection('Shared name')
    const listed = async (of: World) =>
      records(succeeded(await of.by(of.owner).get('/collections')), 'collections').map((one) => one.id)
    assert.equal([(await listed(world)).includes(id), (await listed(world)).includes(other)], [true, false])
    assert.equal([(await listed(people)).includes(id), (await listed(people)).includes(other)], [false, true])
  })

  test('a tenant that is there and one that is not refuse alike: status, body, headers and step', async () => {
    const refusals = async (tenant: string): Promise<readonly Reply[]> => {
      const headers = named(tenant)
      const secret = 'hbi_0123456789abcdefghijklmnopqrstuvwxyzABCDEF0'
      const calls: readonly Call[] = [
        { method: 'GET', path: '/collections', token: 'hbk_nobody', headers },
        { method: 'GET', path: '/collections', token: teams.hub.admin.token, headers },
        { method: 'GET', path: '/admin/users', headers },
        { method: 'GET', path: '/changes?ticket=hbt_none', headers },
        { method: 'POST', path: '/auth/invitations/preview', body: { secret }, headers },
        { method: 'POST', path: '/auth/invitations/redeem', body: { secret, tokenName: 'x' }, headers }
      ]
      return Promise.all(calls.map((call) => teams.hub.send(call)))
    }
    const shown = ({ status, text: body, headers }: Reply) => {
      const { date: _, 'x-request-id': __, ...others } = headers
      return { status, body, others }
    }
    // Nobody has asked for it yet: it is opened by the first of these.
    await makeTenant(teams.hub, 'fresh')
    const [unknown, there, closed] = await Promise.all([refusals('nobody'), refusals('acme'), refusals('fresh')])
    const counted = (all: readonly Reply[]) =>
      all.map(shown).map((one) => ({ ...one, others: { ...one.others, ratelimit: '' } }))
    assert.equal(counted(there), counted(unknown))
    assert.equal(counted(closed), counted(unknown))
    for (const { status, duration_ms } of [...unknown, ...there, ...closed]) {
      assert.ok(status === 401 || status === 404, String(status))
      assert.ok(duration_ms >= STEP_MS - 2, `${status} after ${duration_ms} ms`)
    }
  })

  test('what is no JSON is refused before any tenant is looked for', async () => {
    for (const tenant of ['acme', 'nobody', undefined]) {
      const headers = { 'content-type': 'application/json', ...(tenant && named(tenant)) }
      const { status } = await teams.hub.send({ method: 'POST', path: '/auth/invitations/preview', text: '{', headers })
      assert.is(status, 400)
    }
  })

  test('an invitation of a tenant is taken up there and nowhere else', async () => {
    const { post } = world.by(world.admin)
    const invited = succeeded(await post('/admin/invited-users', { name: 'Ann', role: 'user' }))
    const secret = text(invited.body, 'secret')
    const preview = (tenant: string) =>
      teams.hub.send({ method: 'POST', path: '/auth/invitations/preview', body: { secret }, headers: named(tenant) })
    for (const { status } of await Promise.all(ELSEWHERE.map(preview))) assert.is(status, 404)
    assert.is((await preview('acme')).status, 200)
    const body = { secret, tokenName: 'desk' }
    const redeem = (tenant: string) =>
      teams.hub.send({ method: 'POST', path: '/auth/invitations/redeem', body, headers: named(tenant) })
    for (const { status } of await Promise.all(ELSEWHERE.map(redeem))) assert.is(status, 404)
    const redeemed = succeeded(await redeem('acme'))
    assert.is((await session(text(redeemed.body, 'secret'), named('acme')))[0], 'acme')
  })

  test('a ticket of a tenant is no good at another, nor at the hub itself, and is still good where it is from', async () => {
    const ticket = text(succeeded(await world.by(world.owner).post('/changes/tickets')).body, 'ticket')
    const open = (tenant: string) =>
      teams.hub.send({ method: 'GET', path: `/changes?ticket=${ticket}&after=0`, headers: named(tenant) })
    for (const { status } of await Promise.all(ELSEWHERE.map(open))) assert.is(status, 401)
    assert.is((await open('acme')).status, 200)
    assert.is((await open('acme')).status, 401)
  })

  test('the page of an invite link offers the console, which names the tenant, but not where the host stands for another', async () => {
    const offered = async (tenant: string | undefined, at: string) => {
      const path = `/join?${queryOf({ tenant })}`
      const { text: page } = succeeded(await teams.hub.send({ method: 'GET', path, headers: host(at) }))
      return page.includes('id="browser"')
    }
    assert.is(await offered(undefined, 'hub.example.com'), true)
    for (const at of ['hub.example.com', 'acme.example.com']) assert.is(await offered('acme', at), true)
    assert.is(await offered('beta', 'acme.example.com'), true)
    assert.is(await offered(undefined, 'acme.example.com'), false)
  })

  test('administrators of a tenant reload nothing, and change nothing of the hub', async () => {
    const { status, text: body } = await teams.hub.send({
      ...{ method: 'POST', path: '/admin/config/reload', token: acme.admin.token, headers: named('acme') }
    })
    assert.equal([status, body.includes('Only administrators of the hub itself can do this')], [403, true])
  })

  test('the status of a tenant tells of its own log, and not how the hub is', async () => {
    const { body } = succeeded(await world.by(world.admin).get('/admin/status'))
    assert.equal(fields(body).checks ?? [], [])
    const all = JSON.stringify(body)
    for (const other of ['beta', 'Better', 'Default', teams.hub.admin.id]) assert.not.ok(all.includes(other), other)
  })

  test('a tenant that was deleted is nowhere at the next request', async () => {
    const gone = await teams.tenant('gone')
    const { token } = gone.admin
    assert.is((await session(token, named('gone')))[0], 'gone')
    await teams.hub.run({ type: 'DeleteTenant', id: gone.made.recordId })
    const { status } = await teams.hub.send({ method: 'GET', path: '/auth/session', token, headers: named('gone') })
    assert.is(status, 401)
  })

  test.run()
}

const LIMITS = { maxFailures: 3, windowSeconds: 60, blockSeconds: 30, maxFailuresPerAddress: 5 }

{
  const test = teamsSuite('failures at tenants', sqlite, begin, { limits: LIMITS })
  let teams: Teams
  let one: TestTenant

  async function begin(made: Teams) {
    teams = made
    one = await teams.tenant('one')
    await teams.tenant('two')
  }

  const tries = async (tenant: string, token: string, times: number) => {
    const all = []
    for (let i = 0; i < times; i++)
      all.push((await teams.hub.send({ method: 'GET', path: '/auth/session', token, headers: named(tenant) })).status)
    return all
  }

  test('who is blocked at one tenant is blocked neither at another nor at the hub itself', async () => {
    assert.equal(await tries('one', 'hbk_wrong', 4), [401, 401, 401, 429])
    assert.equal(await tries('two', 'hbk_wrong', 1), [401])
    assert.equal(await tries('', 'hbk_wrong', 1), [401])
    assert.equal(await tries('one', one.admin.token, 1), [200])
  })

  test('administrators see and end the blocks of their own tenant alone', async () => {
    const blocks = async (hub: Pick<TestTenant, 'send'>, token: string) =>
      text(await hub.send({ method: 'GET', path: '/admin/throttle', token }), 'text')
    assert.match(await blocks(one, one.admin.token), '127.0.0.1')
    assert.not.match(await blocks(teams.hub, teams.hub.admin.token), '127.0.0.1')
    const ended = await teams.hub.send({
      method: 'DELETE',
      path: '/admin/throttle/127.0.0.1',
      token: teams.hub.admin.token
    })
    assert.ok([204, 404].includes(ended.status), ended.text)
    assert.equal(await tries('one', 'hbk_wrong', 1), [429])
  })

  test('failures at all names together are counted, there or not', async () => {
    // Ten times what one address may have; two were counted above under secrets of their own.
    const guesses = await Promise.all(Array.from({ length: 60 }, (_, i) => tries(`name-${i}`, `hbk_guess${i}`, 1)))
    assert.equal([...new Set(guesses.flat())].toSorted(), [401, 429])
    assert.equal(await tries('never-asked', 'hbk_new', 1), [429])
    // Whoever has a token is let in all the same.
    assert.equal(await tries('one', one.admin.token, 1), [200])
    assert.equal(await tries('', teams.hub.admin.token, 1), [200])
  })

  test.run()
}

{
  const test = teamsSuite('tenants that have things of their own', sqlite, begin, {
    config: {
      llm: { providers: { openai: { apiKey: 'sk-test' } }, models: ['gpt-6.1-sol'] },
      plugins: { trusted: ['https://plugins.example.com/hub.json'] },
      tenants: {
        own: {
          llm: { providers: { openai: { apiKey: 'sk-own' } }, models: ['gpt-6-luna'] },
          plugins: { trusted: ['https://plugins.example.com/own.json'] }
        },
        none: { llm: 'off' }
      }
    }
  })
  let teams: Teams
  const tenants = new Map<string, TestTenant>()

  async function begin(made: Teams) {
    teams = made
    for (const id of ['own', 'none', 'usual']) tenants.set(id, await made.tenant(id))
  }

  test('models are those of the tenant: its own, none, or those of the hub', async () => {
    const offered = async ({ send, admin }: Pick<TestTenant, 'send' | 'admin'>) => {
      const { status, body } = await send({ method: 'GET', path: '/admin/llm/models', token: admin.token })
      return status === 200 ? records({ body, text: '' }, 'models').map(({ id }) => id) : status
    }
    const of = async (id: string) => {
      const tenant = tenants.get(id)
      return tenant && offered(tenant)
    }
    assert.equal(await offered(teams.hub), ['gpt-6.1-sol'])
    assert.equal(await of('usual'), ['gpt-6.1-sol'])
    assert.equal(await of('own'), ['gpt-6-luna'])
    assert.not.equal(await of('none'), ['gpt-6.1-sol'])
  })

  test('a user may be given the models of their own tenant alone', async () => {
    const given = async (id: string, model: string) => {
      const tenant = tenants.get(id)
      if (!tenant) return 0
      const body = { name: `With ${model}`, role: 'user', llmModels: [model], ...everything }
      return (await tenant.send({ method: 'POST', path: '/admin/users', token: tenant.admin.token, body })).status
    }
    assert.equal([await given('own', 'gpt-6-luna'), await given('own', 'gpt-6.1-sol')], [201, 400])
    assert.is(await given('usual', 'gpt-6.1-sol'), 201)
  })

  test('plugin sources are those of the tenant, where it has some', async () => {
    const sources = async (id: string) => {
      const tenant = tenants.get(id)
      if (!tenant) return ''
      return succeeded(await tenant.send({ method: 'GET', path: '/plugins/sources', token: tenant.admin.token })).text
    }
    assert.equal(
      [(await sources('own')).includes('own.json'), (await sources('own')).includes('hub.json')],
      [true, false]
    )
    assert.ok((await sources('usual')).includes('hub.json'))
  })

  test.run()
}
