import { emitUser } from '../../commands/people/user/events.js'
import type { RunResultCommand } from '../../commands/records/runResult/decide.js'
import { emitRunResult } from '../../commands/records/runResult/events.js'
import { suite } from '../support/suite.js'
import { atFirst, by, given } from './given.js'
import { ada, anAccount, bob, nil, ops } from './people.js'

const test = suite('deciding on shared run results')

const kind = 'collection-run-results' as const
const results = [{ status: 'passed' }, { status: 'failed' }, { status: 'passed' }, { status: 'odd' }, 7]
const exported = { harborclientExport: kind, collection: { name: 'Orders' }, results }
const share = (payload: Readonly<Record<string, unknown>> = exported, label?: string): RunResultCommand => ({
  type: 'ShareRunResult',
  id: 'x',
  label,
  payload
})
const shared = (label: string, payload: Record<string, unknown> = exported, requestName: string | null = null) =>
  emitRunResult('x', 'RunResultShared', {
    kind,
    label,
    collectionName: 'collection' in payload ? 'Orders' : null,
    requestName,
    summary: { passed: 2, failed: 1, skipped: 0 },
    payload
  })
const remove: RunResultCommand = { type: 'DeleteRunResult', id: 'x' }
const removeAsAdmin: RunResultCommand = { type: 'DeleteRunResultAsAdmin', id: 'x' }
const deleted = emitRunResult('x', 'RunResultDeleted', {})

test('any user shares results, whatever else they may do', async () => {
  for (const caller of [ada, nil])
    await atFirst.when(share(exported, 'Nightly'), { by: caller }).then(shared('Nightly'))
})

test('administrators share nothing', () => atFirst.when(share(), { by: ops }).refused('Forbidden', 403))

test('without a label it is named after what was run and when', async () => {
  await atFirst.when(share()).then(shared('Orders — 2026-03-04 05:06:07'))
  const ofRequest = { ...exported, request: { name: 'Get one' } }
  await atFirst.when(share(ofRequest)).then(shared('Get one — 2026-03-04 05:06:07', ofRequest, 'Get one'))
  const ofNothing = { harborclientExport: kind, results }
  await atFirst.when(share(ofNothing)).then(shared('Run — 2026-03-04 05:06:07', ofNothing))
})

test('what is no export of results, or of none, is refused', async () => {
  await atFirst
    .when(share({ ...exported, harborclientExport: 'collection' }))
    .refused('The payload is not an export of run results.', 400)
  await atFirst.when(share({ ...exported, results: [] })).refused('The payload has no results.', 400)
})

test('only whoever shared results deletes them, or an administrator', async () => {
  const past = given(by(bob, shared('Nightly')))
  await past.when(remove, { by: bob }).then(deleted)
  await past.when(remove).refused('Forbidden', 403)
  await past.when(removeAsAdmin, { by: ops }).then(deleted)
  await past.when(removeAsAdmin, { by: bob }).refused('Forbidden', 403)
  await past.when(remove, { by: ops }).refused('Forbidden', 403)
})

test('nobody shared what an account that is gone has shared', async () => {
  const past = given(
    emitUser('ada', 'UserCreated', anAccount('Ada')),
    shared('Nightly'),
    emitUser('ada', 'UserDeleted', {})
  )
  await past.when(remove).refused('Forbidden', 403)
  await past.when(removeAsAdmin, { by: ops }).then(deleted)
})

test('what is not there is not found', async () => {
  await atFirst.when(remove).refused('Run result not found', 404)
  await given(shared('Nightly'), deleted).when(removeAsAdmin, { by: ops }).refused('Run result not found', 404)
})

test.run()
