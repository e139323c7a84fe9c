import type { TableSpec } from '../src/storage/storage.js'
import { llmBudgetsTable } from './llm/budget/table.js'
import { llmReservationsTable, llmUsageTable } from './llm/table.js'
import { groupsTable } from './people/group/table.js'
import { identitiesTable } from './people/identity/table.js'
import { invitationsTable } from './people/invitation/table.js'
import { tokensTable } from './people/token/table.js'
import { usersTable } from './people/user/table.js'
import { KINDS, kinds } from './records/kinds.js'
import { runResultsTable } from './records/runResult/table.js'
import { commentsTable } from './talk/comment/table.js'
import { devicesTable } from './talk/device/table.js'
import { mlsCommitsTable, mlsWelcomesTable } from './talk/mls/table.js'
import { noticeLevelsTable, threadSubscriptionsTable } from './talk/notification/table.js'
import { hubsTable } from './tenants/hub/table.js'
import { tenantsTable } from './tenants/tenant/table.js'
import { webhooksTable } from './webhooks/table.js'

const snapshots = new Map<string, TableSpec>([
  ['user', usersTable],
  ['group', groupsTable],
  ['token', tokensTable],
  ['identity', identitiesTable],
  ...KINDS.map((kind): [string, TableSpec] => [kind, kinds[kind].table]),
  ['invitation', invitationsTable],
  ['runresult', runResultsTable],
  ['llmstep', llmReservationsTable],
  ['llmbudget', llmBudgetsTable],
  ['llmusage', llmUsageTable],
  ['webhook', webhooksTable],
  ['comment', commentsTable],
  ['notification', noticeLevelsTable],
  ['subscription', threadSubscriptionsTable],
  ['device', devicesTable],
  ['mlscommit', mlsCommitsTable],
  ['mlswelcome', mlsWelcomesTable],
  ['hub', hubsTable],
  ['tenant', tenantsTable]
])

/** The table whose row is the snapshot of a stream, by the kind in the stream's name; null where no row is. */
export function tableOf(stream: string): TableSpec | null {
  return snapshots.get(stream.slice(0, stream.indexOf('-'))) ?? null
}
