import { type Case, type Endpoint, endpointOf, type Row } from '../endpoint.js'
import { declaredRoutes } from '../unasked.js'
import { auditRows } from './audit.js'
import { authorizationRows } from './authorization.js'
import { avatarRows } from './avatars.js'
import { copyRows } from './copies.js'
import { deviceRows } from './devices.js'
import { directoryRows } from './directory.js'
import { discussionRows } from './discussions.js'
import { fileRows } from './files.js'
import { folderRows } from './folders.js'
import { groupRows } from './groups.js'
import { hubRows } from './hub.js'
import { invitationRows } from './invitations.js'
import { itemRows } from './items.js'
import { llmRows } from './llm.js'
import { llmBudgetRows } from './llmBudgets.js'
import { lockableRows } from './lockables.js'
import { mlsRows } from './mls.js'
import { noticeRows } from './notices.js'
import { adminSnippetRows, casesOfKinds } from './ofKinds.js'
import { pastRows } from './past.js'
import { reloadRows } from './reload.js'
import { sharingRows } from './sharing.js'
import { signInRows, signOutRows } from './signIns.js'
import { tokenRows } from './tokens.js'
import { userRows } from './users.js'
import { webhookRows } from './webhooks.js'

const rows: readonly Row[] = [
  ...hubRows,
  ...userRows,
  ...tokenRows,
  ...signInRows,
  ...sharingRows,
  ...groupRows,
  ...directoryRows,
  ...authorizationRows,
  ...lockableRows,
  ...adminSnippetRows,
  ...folderRows,
  ...copyRows,
  ...itemRows,
  ...llmRows,
  ...llmBudgetRows,
  ...reloadRows,
  ...invitationRows,
  ...fileRows,
  ...discussionRows,
  ...noticeRows,
  ...avatarRows,
  ...pastRows,
  ...auditRows,
  ...webhookRows,
  // Last, since they have the hub take no comments as text; and those that need a device before those by which everybody gets one.
  ...mlsRows,
  ...deviceRows,
  ...signOutRows
]

const declared = new Map((await declaredRoutes()).map((route) => [`${route.method} ${route.url}`, route]))
const known = new Set<string>(rows.map(({ row }) => row))
for (const row of Object.keys(casesOfKinds))
  if (!known.has(row)) throw new Error(`There are cases for ${row}, but no such row`)

/** Every route that the hub serves. A route that is not among them fails the test that compares them with the server. */
export const endpoints: readonly Endpoint[] = rows.map((row) => {
  const route = declared.get(row.row)
  if (!route) throw new Error(`${row.row} is no route of the hub`)
  const more: readonly Case[] = casesOfKinds[row.row] ?? []
  return endpointOf({ ...row, cases: [...(row.cases ?? []), ...more] }, route)
})
