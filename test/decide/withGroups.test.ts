import * as assert from 'uvu/assert'
import { reachOf } from '../../commands/people/grant/grants.js'
import type { Group } from '../../commands/people/group/events.js'
import { withGroups } from '../../commands/people/group/membership.js'
import { eachAccessList, type Grant } from '../../commands/people/user/events.js'
import { suite } from '../support/suite.js'
import { anAccount } from './people.js'

const test = suite('an account with its groups')

const own = { ...anAccount('Eve', eachAccessList([])), grants: [] }
const group = (changes: Partial<Group>): Group => ({
  ...{ name: 'G', ...eachAccessList<string[]>([]), grants: [], externalId: null },
  ...{ llmAccess: false, llmModels: [], llmMonthlyTokenLimit: null },
  ...changes
})
const models = (limit: number | null, ...llmModels: readonly string[]) =>
  group({ llmAccess: true, llmModels: [...llmModels], llmMonthlyTokenLimit: limit })

test('lists come together, and the wildcard stands alone', () => {
  const groups = [group({ collectionAccess: ['a', 'b'] }), group({ collectionAccess: ['b'], snippetAccess: ['*'] })]
  const { collectionAccess, snippetAccess } = withGroups(
    { ...own, collectionAccess: ['a'], snippetAccess: ['s'] },
    groups
  )
  assert.equal([collectionAccess, snippetAccess], [['a', 'b'], ['*']])
})

test('of limits on tokens the highest counts, of those that come with models', () => {
  const limitOf = (...groups: readonly Group[]) => withGroups(own, groups).llmMonthlyTokenLimit
  assert.equal([limitOf(models(10, 'a')), limitOf(models(10, 'a'), models(20, 'b'))], [10, 20])
  assert.is(limitOf(models(10, 'a'), models(null, 'b')), null)
  assert.is(limitOf(group({})), null, 'who has no models has no limit')
  assert.is(limitOf(models(10, 'a'), group({ llmMonthlyTokenLimit: 99 })), 10)
  const limited = { ...own, llmAccess: true, llmModels: ['a'], llmMonthlyTokenLimit: 5 }
  assert.equal(withGroups(limited, [group({ llmModels: ['b'] })]).llmModels, ['a'])
})

test('of several roles on one record the highest counts, and a list stands over all of them', () => {
  const viewed = (listed: readonly string[], ...roles: readonly Grant['role'][]) => {
    const grants = roles.map((role) => ({ kind: 'collection', id: 'c', role }) as const)
    return reachOf({ ...own, collectionAccess: listed }, grants).viewed
  }
  assert.equal([viewed([], 'viewer'), viewed([], 'viewer', 'editor'), viewed(['c'], 'viewer')], [['c'], [], []])
})

test.run()
