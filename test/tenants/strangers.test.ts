import * as assert from 'uvu/assert'
import type { Call } from '../http/client.js'
import { usualDrivers } from '../http/drivers.js'
import { administrator, runOn } from '../http/support.js'
import { makeTenant, named, type Teams, teamsSuite } from './support.js'

/** Twice as many as may be open. */
const IDS = ['north', 'east', 'south', 'west'] as const
const INVITATION = 'hbi_0123456789abcdefghijklmnopqrstuvwxyzABCDEF0'

for (const driver of usualDrivers) {
  let teams: Teams
  const tokens = new Map<string, string>()
  const test = teamsSuite('who names tenants and is known at none', driver, begin, {
    config: { multitenancy: { maxOpen: 2 } }
  })

  async function begin(made: Teams) {
    teams = made
    for (const id of IDS) {
      await makeTenant(made.hub, id)
      const lease = await made.hub.tenants?.enter(id)
      if (!lease) throw new Error(`There is no tenant ${id}`)
      tokens.set(id, (await administrator(runOn(lease.hub))).token)
      lease.leave()
    }
    made.hub.tenants?.renew()
  }

  const session = (id: string, token: string) =>
    teams.hub.send({ method: 'GET', path: '/auth/session', token, headers: named(id) })

  /** Everything that somebody can send who has nothing of this tenant. */
  const strange = (id: string): readonly Call[] => {
    const headers = named(id)
    return [
      { method: 'GET', path: '/auth/session', headers },
      { method: 'GET', path: '/auth/session', token: 'hbk_nobody', headers },
      { method: 'GET', path: '/collections', token: teams.hub.admin.token, headers },
      { method: 'GET', path: '/changes?ticket=hbt_none', headers },
      { method: 'POST', path: '/auth/invitations/preview', body: { secret: INVITATION }, headers },
      { method: 'POST', path: '/auth/invitations/redeem', body: { secret: INVITATION, tokenName: 'x' }, headers }
    ]
  }
  const knock = (ids: readonly string[]) =>
    Promise.all(ids.flatMap(strange).map(async (call) => (await teams.hub.send(call)).status))

  test('has none of them opened, and is refused alike however many there are and whether they are', async () => {
    const refusals = [401, 401, 401, 401, 404, 404]
    assert.equal(
      await knock([...IDS, 'nobody']),
      [...IDS, 'nobody'].flatMap(() => refusals)
    )
    assert.is(teams.hub.tenants?.count, 0)
  })

  test('takes no place from who has a token, and keeps none that is open from being closed for another', async () => {
    for (const round of [0, 1]) {
      const knocking = knock([...IDS, ...IDS, 'nobody'])
      const [one = '', other = ''] = round === 0 ? IDS : IDS.slice(2)
      const honest = await Promise.all([one, other].map((id) => session(id, tokens.get(id) ?? '')))
      assert.equal(
        honest.map(({ status }) => status),
        [200, 200]
      )
      assert.equal(new Set(await knocking), new Set([401, 404]))
    }
    assert.is(teams.hub.tenants?.count, 2)
  })

  test('is whoever had a token there that was taken back', async () => {
    const [id] = IDS
    const lease = await teams.hub.tenants?.enter(id)
    if (!lease) throw new Error(`There is no tenant ${id}`)
    const run = runOn(lease.hub)
    const leaver = await administrator(run, 'Leaver')
    assert.is((await session(id, leaver.token)).status, 200)
    await run({ type: 'RevokeToken', id: leaver.tokenId })
    lease.leave()
    assert.is((await session(id, leaver.token)).status, 401)
    teams.hub.tenants?.renew()
    assert.is((await session(id, leaver.token)).status, 401)
    assert.is(teams.hub.tenants?.count, 0)
  })

  test.run()
}
