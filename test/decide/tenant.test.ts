import type { TenantCommand } from '../../commands/tenants/tenant/decide.js'
import { emitTenant } from '../../commands/tenants/tenant/events.js'
import { suite } from '../support/suite.js'
import { atFirst, given } from './given.js'
import { ada, ops } from './people.js'

const test = suite('deciding on tenants')

const place = { database: null, place: 'a1' } as const
const create = (tenant = 'acme', id = 'x'): TenantCommand => ({
  ...{ type: 'CreateTenant', id, tenant, name: 'Acme Inc' },
  ...place
})
const created = (id: string, tenant = 'acme') => emitTenant(id, 'TenantCreated', { tenant, name: 'Acme Inc', ...place })
const by = { by: ops }

const there = given(created('t'))

test('an administrator makes tenants, each under an id that no other has', async () => {
  await atFirst.when(create(), by).then(created('x'))
  await there.when(create('Acme'), by).then(created('x', 'Acme'))
  await there.when(create(), by).refused('A tenant with id "acme" already exists.', 409)
  await atFirst.when(create('__default__'), by).refused('A tenant with id "__default__" already exists.', 409)
})

test('the id of a tenant that was deleted is free again', async () => {
  const deleted = emitTenant('t', 'TenantDeleted', {})
  await given(created('t'), deleted).when(create(), by).then(created('x'))
  await there.when({ type: 'DeleteTenant', id: 't' }, by).then(deleted)
  await given(created('t'), deleted).when({ type: 'DeleteTenant', id: 't' }, by).refused('Tenant not found', 404)
})

test('a tenant is renamed and moved, and nothing happens where the name is the same', async () => {
  const rename = (name: string): TenantCommand => ({ type: 'RenameTenant', id: 't', name })
  await there.when(rename('Acme Inc'), by).then()
  await there.when(rename('Acme'), by).then(emitTenant('t', 'TenantRenamed', { name: 'Acme' }))
  const to = { database: 'east', place: 'b2' }
  const move: TenantCommand = { type: 'MoveTenant', id: 't', from: place.place, ...to }
  const moved = emitTenant('t', 'TenantMoved', to)
  await there.when(move, by).then(moved)
  const text = 'This tenant was moved or deleted just now. Try again in a moment.'
  await given(created('t'), moved).when(move, by).refused(text, 503)
})

test('a tenant is not deleted where it is elsewhere than its data was taken away', async () => {
  const remove = (from: string): TenantCommand => ({ type: 'DeleteTenant', id: 't', from })
  await there.when(remove(place.place), by).then(emitTenant('t', 'TenantDeleted', {}))
  const text = 'This tenant was moved or deleted just now. Try again in a moment.'
  await there.when(remove('b2'), by).refused(text, 503)
})

test('users decide nothing about tenants', async () => {
  await atFirst.when(create(), { by: ada }).refused('Forbidden', 403)
  await there.when({ type: 'DeleteTenant', id: 't' }, { by: ada }).refused('Forbidden', 403)
})

test.run()
