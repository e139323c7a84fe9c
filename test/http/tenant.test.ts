import * as assert from 'uvu/assert'
import { sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { succeeded } from './world.js'

const { test, world } = hubSuite('the tenant that a request names', sqlite)

const named = (tenant: string) => ({ 'x-harbor-tenant': tenant })
const DISABLED = 'Multitenancy is disabled; only the default tenant is available.'
const MALFORMED = 'Tenant id may only contain letters, digits, underscores, and hyphens.'
const TOO_LONG = 'Tenant id must be at most 64 characters.'

test('the default one, or none, is the hub itself', async () => {
  for (const tenant of ['__default__', ' __default__ ', '', '  '])
    succeeded(await world.by(world.owner).get('/auth/session', named(tenant)))
})

test('every other one is refused before the token is looked at, and nothing is counted', async () => {
  for (const [tenant, text] of [
    ['acme', DISABLED],
    ['Default', DISABLED],
    ['a b', MALFORMED],
    ['__default__,__default__', MALFORMED],
    ['../acme', MALFORMED],
    ['x'.repeat(65), TOO_LONG]
  ] as const) {
    for (const token of [world.owner.token, world.admin.token, 'hbk_nobody', undefined]) {
      for (const [method, path] of [
        ['GET', '/collections'],
        ['GET', '/admin/users'],
        ['POST', '/auth/invitations/preview'],
        ['POST', '/auth/invitations/redeem']
      ] as const)
        await world.refused(400, () => world.hub.send({ method, path, token, headers: named(tenant) }), text)
    }
  }
  succeeded(await world.by(world.owner).get('/collections'))
})

test('probes answer whatever is named', async () => {
  for (const path of ['/health', '/healthz', '/readyz'])
    assert.is((await world.hub.send({ method: 'GET', path, headers: named('acme') })).status, 200)
})

test.run()
