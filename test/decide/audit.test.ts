import { emitAudit } from '../../commands/log/audit/events.js'
import { suite } from '../support/suite.js'
import { atFirst, given } from './given.js'
import { collection, locked } from './made.js'
import { ada, nil, ops } from './people.js'

const test = suite('deciding on what is kept in the log though no record changes')

const refused = { kind: 'collection', id: 'c' } as const
const blocked = { failuresWith: 'anySecret', blockedSeconds: 900 } as const
const reloaded = { sections: [{ section: 'llm', status: 'applied' }], fatal: false }
const exported = { what: 'log', from: 1, to: 7 } as const
const read = { filter: { type: 'UserCreated' } }
const called = {
  tool: 'get_request',
  client: { name: 'editor', version: '1' },
  record: { kind: 'request', id: 'a' },
  outcome: 'done',
  status: null
} as const

test('each of them is written down as it was told', async () => {
  const past = given(collection('c'), locked('c'))
  await past
    .when({ type: 'RecordDeletionRefused', id: 'a', data: refused })
    .then(emitAudit('a', 'DeletionRefused', refused))
  await past.when({ type: 'RecordLoginBlocked', id: 'a', data: blocked }).then(emitAudit('a', 'LoginBlocked', blocked))
  await past
    .when({ type: 'RecordConfigurationReloaded', id: 'a', data: reloaded })
    .then(emitAudit('a', 'ConfigurationReloaded', reloaded))
  await past.when({ type: 'RecordLogExported', id: 'a', data: exported }).then(emitAudit('a', 'LogExported', exported))
  await past.when({ type: 'RecordAuditRead', id: 'a', data: read }).then(emitAudit('a', 'AuditRead', read))
  await past
    .when({ type: 'RecordAgentToolCalled', id: 'a', data: called })
    .then(emitAudit('a', 'AgentToolCalled', called))
})

test('whoever it was about: the hub gives the command, so nobody is refused', async () => {
  for (const caller of [ada, nil, ops]) {
    await atFirst
      .when({ type: 'RecordAuditRead', id: 'a', data: read }, { by: caller })
      .then(emitAudit('a', 'AuditRead', read))
  }
})

test('the same once more is one more event', () =>
  given(emitAudit('a', 'DeletionRefused', refused))
    .when({ type: 'RecordDeletionRefused', id: 'b', data: refused })
    .then(emitAudit('b', 'DeletionRefused', refused)))

test.run()
