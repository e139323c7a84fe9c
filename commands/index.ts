import type { NewEvent } from '../src/log/event.js'
import type { Context, Decision } from './context.js'
import { codecOf, type EventDefinition, type EventDefinitions } from './event.js'
import { budgetDeciders } from './llm/budget/decide.js'
import { emitBudget } from './llm/budget/events.js'
import { llmDeciders } from './llm/decide.js'
import { emitLlm } from './llm/events.js'
import { auditDeciders } from './log/audit/decide.js'
import { emitAudit } from './log/audit/events.js'
import { emitChain } from './log/chain/events.js'
import { erasureDeciders } from './log/erasure/decide.js'
import { emitErasure } from './log/erasure/events.js'
import { emitKey } from './log/idempotency/events.js'
import { emitProjections } from './log/projections/events.js'
import { directoryDeciders } from './people/directory/decide.js'
import { grantDeciders } from './people/grant/decide.js'
import { groupDeciders } from './people/group/decide.js'
import { emitGroup } from './people/group/events.js'
import { identityDeciders } from './people/identity/decide.js'
import { emitIdentity } from './people/identity/events.js'
import { invitationDeciders } from './people/invitation/decide.js'
import { emitInvitation } from './people/invitation/events.js'
import { tokenDeciders } from './people/token/decide.js'
import { emitToken } from './people/token/events.js'
import { userDeciders } from './people/user/decide.js'
import { emitUser } from './people/user/events.js'
import { collectionDeciders } from './records/collection/decide.js'
import { emitCollection } from './records/collection/events.js'
import { copyDeciders } from './records/copy/decide.js'
import { documentDeciders } from './records/document/decide.js'
import { emitDocument } from './records/document/events.js'
import { environmentDeciders } from './records/environment/decide.js'
import { emitEnvironment } from './records/environment/events.js'
import { folderDeciders } from './records/folder/decide.js'
import { emitFolder } from './records/folder/events.js'
import { liveDeciders } from './records/live/decide.js'
import { emitLivePage, emitLiveServer } from './records/live/events.js'
import { requestDeciders } from './records/request/decide.js'
import { emitRequest } from './records/request/events.js'
import { revertDeciders } from './records/revert/decide.js'
import { runResultDeciders } from './records/runResult/decide.js'
import { emitRunResult } from './records/runResult/events.js'
import { snippetDeciders } from './records/snippet/decide.js'
import { emitSnippet } from './records/snippet/events.js'
import { sourceDeciders } from './records/source/decide.js'
import { emitSource } from './records/source/events.js'
import { transferDeciders } from './records/transfer/decide.js'
import { undeleteDeciders } from './records/undelete/decide.js'
import { importDeciders } from './takeover/decide.js'
import { importEvents, importedKinds } from './takeover/events.js'
import { commentDeciders } from './talk/comment/decide.js'
import { emitComment } from './talk/comment/events.js'
import { deviceDeciders } from './talk/device/decide.js'
import { emitDevice } from './talk/device/events.js'
import { mlsDeciders } from './talk/mls/decide.js'
import { emitMlsCommit, emitMlsWelcome } from './talk/mls/events.js'
import { notificationDeciders } from './talk/notification/decide.js'
import { emitNotification, emitSubscription } from './talk/notification/events.js'
import { hubDeciders } from './tenants/hub/decide.js'
import { emitHub } from './tenants/hub/events.js'
import { tenantDeciders } from './tenants/tenant/decide.js'
import { emitTenant } from './tenants/tenant/events.js'
import { webhookDeciders } from './webhooks/decide.js'
import { emitWebhook } from './webhooks/events.js'

/** Every type of command, with what decides on it. */
const deciders = {
  ...userDeciders,
  ...tokenDeciders,
  ...grantDeciders,
  ...directoryDeciders,
  ...groupDeciders,
  ...identityDeciders,
  ...invitationDeciders,
  ...collectionDeciders,
  ...environmentDeciders,
  ...snippetDeciders,
  ...liveDeciders,
  ...folderDeciders,
  ...requestDeciders,
  ...documentDeciders,
  ...runResultDeciders,
  ...llmDeciders,
  ...budgetDeciders,
  ...importDeciders,
  ...auditDeciders,
  ...erasureDeciders,
  ...undeleteDeciders,
  ...revertDeciders,
  ...sourceDeciders,
  ...copyDeciders,
  ...transferDeciders,
  ...webhookDeciders,
  ...commentDeciders,
  ...notificationDeciders,
  ...deviceDeciders,
  ...mlsDeciders,
  ...hubDeciders,
  ...tenantDeciders
}

/** Any command: what some decider decides on. */
export type Command = Parameters<(typeof deciders)[keyof typeof deciders]>[0]

// A method's parameter is bivariant: what decides on one type of command fits here, and is given no other.
type AnyDecider = { decide(command: Command, context: Context): Decision }['decide']
const deciderOf: Readonly<Record<Command['type'], AnyDecider>> = deciders

/**
 * Decides what happens, or refuses with an error of the catalogue. Emits nothing where nothing would change.
 * Depends on nothing but the command and the context, so deciding again on the same state gives the same events.
 */
export async function decide(command: Command, context: Context): Promise<readonly NewEvent[]> {
  return deciderOf[command.type](command, context)
}

/** Every aggregate's events. What a new one emits is known by its entry here, and so is the kind of its streams. */
const emitters = [
  emitUser,
  emitToken,
  emitIdentity,
  emitGroup,
  emitCollection,
  emitFolder,
  emitRequest,
  emitDocument,
  emitEnvironment,
  emitSnippet,
  emitLiveServer,
  emitLivePage,
  emitInvitation,
  emitRunResult,
  emitLlm,
  emitBudget,
  emitAudit,
  emitChain,
  emitErasure,
  emitSource,
  emitKey,
  emitProjections,
  emitWebhook,
  emitComment,
  emitNotification,
  emitSubscription,
  emitDevice,
  emitMlsCommit,
  emitMlsWelcome,
  emitHub,
  emitTenant
]

/** Every type of event. */
export const eventDefinitions: EventDefinitions = Object.fromEntries(
  [...emitters.map(({ definitions }) => definitions), importEvents].flatMap((all) =>
    Object.entries<EventDefinition>(all)
  )
)

/** The kinds of stream that there are. Restored records go on in streams of the kinds that they had. */
export const STREAM_KINDS: readonly string[] = [
  ...new Set([...emitters.map(({ kind }) => kind), ...Object.values(importedKinds)])
]

/** Every type of event, for reading and writing the log. */
export const codec = codecOf(eventDefinitions)
