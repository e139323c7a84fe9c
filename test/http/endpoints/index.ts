import type { Case, Endpoint } from '../endpoint.js'
import { adminLockableEndpoints } from './adminLockables.js'
import { adminRequestEndpoints } from './adminRequests.js'
import { agentEndpoints } from './agents.js'
import { auditEndpoints } from './audit.js'
import { avatarEndpoints } from './avatars.js'
import { changeEndpoints } from './changes.js'
import { adminCollectionEndpoints, collectionCases } from './collections.js'
import { consoleEndpoints } from './console.js'
import { deletedEndpoints } from './deleted.js'
import { deviceEndpoints } from './devices.js'
import { discussionEndpoints } from './discussions.js'
import { environmentCases } from './environments.js'
import { folderEndpoints } from './folders.js'
import { formatEndpoints } from './formats.js'
import { historyEndpoints, pastEndpoints } from './history.js'
import { invitationEndpoints } from './invitations.js'
import { itemEndpoints } from './items.js'
import { joinEndpoints } from './join.js'
import { liveCases } from './live.js'
import { llmEndpoints } from './llm.js'
import { lockableEndpoints } from './lockables.js'
import { mlsEndpoints } from './mls.js'
import { noticeEndpoints } from './notices.js'
import { openApiEndpoints } from './openapi.js'
import { opsEndpoints } from './ops.js'
import { pluginEndpoints } from './plugins.js'
import { reloadEndpoints } from './reload.js'
import { runResultEndpoints } from './runResults.js'
import { searchEndpoints } from './search.js'
import { sessionEndpoints } from './session.js'
import { adminSnippetEndpoints, snippetCases } from './snippets.js'
import { throttleEndpoints } from './throttle.js'
import { tokenEndpoints } from './tokens.js'
import { userEndpoints } from './users.js'
import { webhookEndpoints } from './webhooks.js'

const rows: readonly Endpoint[] = [
  ...opsEndpoints,
  ...openApiEndpoints,
  ...consoleEndpoints,
  ...sessionEndpoints,
  ...joinEndpoints,
  ...userEndpoints,
  ...tokenEndpoints,
  ...adminLockableEndpoints,
  ...adminCollectionEndpoints,
  ...adminSnippetEndpoints,
  ...adminRequestEndpoints,
  ...lockableEndpoints,
  ...folderEndpoints,
  ...itemEndpoints,
  ...llmEndpoints,
  ...throttleEndpoints,
  ...pluginEndpoints,
  ...reloadEndpoints,
  ...invitationEndpoints,
  ...runResultEndpoints,
  ...discussionEndpoints,
  ...noticeEndpoints,
  ...avatarEndpoints,
  ...historyEndpoints,
  ...pastEndpoints,
  ...deletedEndpoints,
  ...auditEndpoints,
  ...agentEndpoints,
  ...formatEndpoints,
  ...searchEndpoints,
  ...changeEndpoints,
  ...webhookEndpoints,
  // Last, since they have the hub take no comments as text; and those that need a device before those by which everybody gets one.
  ...mlsEndpoints,
  ...deviceEndpoints
]

const more: Readonly<Record<string, readonly Case[]>> = {
  ...collectionCases,
  ...environmentCases,
  ...snippetCases,
  ...liveCases
}
const known = new Set<string>(rows.map(({ row }) => row))
for (const row of Object.keys(more)) if (!known.has(row)) throw new Error(`There are cases for ${row}, but no such row`)

/** Every route that the hub serves. A route that is not among them fails the test that compares them with the server. */
export const endpoints: readonly Endpoint[] = rows.map((endpoint) => ({
  ...endpoint,
  cases: [...endpoint.cases, ...(more[endpoint.row] ?? [])]
}))
