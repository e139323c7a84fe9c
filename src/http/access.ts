import type { Scope } from '../../commands/people/token/scopes.js'
import type { Role } from '../../commands/people/user/events.js'
import { KINDS, kinds, LOCKABLES, type Lockable, MEMBERS, type RestorableKind } from '../../commands/records/kinds.js'

/** Who may call an operation: whoever comes, or accounts of these roles. */
export const ROLES_OF = {
  public: [],
  user: ['user'],
  any: ['user', 'admin'],
  account: ['user', 'admin', 'accountAdmin', 'auditor'],
  people: ['admin', 'accountAdmin'],
  audit: ['admin', 'auditor'],
  admin: ['admin']
} as const satisfies Readonly<Record<string, readonly Role[]>>
export type Who = keyof typeof ROLES_OF

/** The scope that a limited token needs for it: `none` where every token will do, `all` where no limited one does. */
export type Needs = Scope | 'none' | 'all'

export interface Access {
  readonly who: Who
  readonly needs: Needs
}

/** What the operations are called by which managers of a kind of record say who has one. */
export function sharingOperations(kind: Lockable) {
  const { label } = kinds[kind]
  // That of collections is called as it was when there were no others.
  const list = kind === 'collection' ? 'listSharing' : `list${label}Sharing`
  return { share: `share${label}`, unshare: `unshare${label}`, list }
}

/** What operations are called that each of these kinds of record has: `get*` is `getCollection` of collections. */
function ofKinds(some: readonly RestorableKind[], ...names: readonly string[]): readonly string[] {
  return some.flatMap((kind) => names.map((name) => name.replace('*', kinds[kind].label)))
}

/**
 * Who may call which operation, and what that takes of a token that is limited to scopes (section 5, Roles): all of them, by who and
 * scope. A route whose operation is not here does not start. What they may do to which record, the deciders say.
 * docs/access.md is made from it, and so are the descriptions of the interface.
 */
const TABLE: Readonly<Record<Who, Readonly<Partial<Record<Needs, readonly string[]>>>>> = {
  public: {
    none: [
      'previewInvitation',
      'redeemInvitation',
      'getJoinPage',
      'getOpenApi',
      'getReferencePage',
      'getReferenceFile',
      'listSignInProviders',
      'beginSignIn',
      'finishSignIn',
      'endSessionsByProvider',
      'getProtectedResource',
      'getProtectedResourceOfAgents',
      'getAuthorizationServer',
      'registerProgram',
      'askByDevice',
      'getProgramToken',
      'askByBrowser',
      'goOnByBrowser',
      'openDevicePage',
      'openHub',
      'openConsole',
      'getConsolePage',
      'getConsoleFile',
      'getHealth',
      'getLiveness',
      'getReadiness',
      'getMetrics'
    ]
  },
  user: {
    read: [
      ...ofKinds(KINDS, 'get*', 'list*Versions', 'compare*Versions'),
      ...ofKinds(MEMBERS, 'list*s'),
      'exportCollection',
      'exportEnvironment',
      'getRunResult',
      'listRequestComments',
      'listCollectionComments',
      'listFolderComments',
      'listRunResultComments',
      'listMlsCommits',
      'listMlsWelcomes',
      'getMlsGroupState',
      'getCollectionTree',
      'listCollectionActivity',
      'listOwnDeletedRecords',
      'listNotices',
      'countUnreadNotices',
      'getNotificationSettings',
      'getThreadSubscription',
      'followNotices'
    ],
    write: [
      ...ofKinds(KINDS, 'create*', 'update*', 'delete*', 'restore*'),
      ...ofKinds(MEMBERS, 'reorder*s', 'move*'),
      'importCollection',
      'copyCollection',
      'copyFolder',
      'transferFolder',
      'copyEnvironment',
      'shareRunResult',
      'deleteRunResult',
      'commentOnRequest',
      'commentOnCollection',
      'commentOnFolder',
      'commentOnRunResult',
      'replyToComment',
      'editComment',
      'resolveThread',
      'reopenThread',
      'postMlsCommit',
      'postMlsWelcome',
      'undeleteOwnRecord',
      'readNotice',
      'readAllNotices',
      'setNotificationSettings',
      'subscribeToThread',
      'unsubscribeFromThread'
    ],
    agent: ['sendMcpMessage', 'openMcpStream', 'endMcpSession']
  },
  any: {
    read: [
      ...ofKinds(LOCKABLES, 'list*s'),
      'listRunResults',
      'listDevices',
      'searchRecords',
      'issueTicket',
      'listChanges'
    ],
    write: ['deleteComment', 'enrollDevice', 'revokeDevice', 'restartMlsGroup'],
    llm: [
      'listModels',
      'listModelsAsAdmin',
      'getLlmUsage',
      'listOwnLlmBudgets',
      'runChatStep',
      'streamChatStep',
      'listModelsOfInterfaces',
      'getModelOfInterfaces',
      'createChatCompletion',
      'createResponse',
      'createEmbeddings',
      'createMessage',
      'countTokens'
    ],
    all: [
      ...LOCKABLES.flatMap((kind) => Object.values(sharingOperations(kind))),
      'createDesktopLink',
      'listWebhooks',
      'createWebhook',
      'getWebhook',
      'changeWebhook',
      'deleteWebhook',
      'rotateWebhookSecret',
      'enableWebhook',
      'replayWebhook',
      'testWebhook',
      'listDeliveries'
    ]
  },
  account: {
    none: ['getSession', 'getPluginSources', 'revokeOwnToken', 'signOut', 'getAvatarImage', 'getHubAvatarImage'],
    all: [
      'listOwnTokens',
      'createOwnToken',
      'listOwnSignIns',
      'bindOwnSignIn',
      'unbindOwnSignIn',
      'endOwnSessions',
      'getQuestion',
      'answerQuestion',
      'changeOwnAvatar'
    ]
  },
  people: {
    'admin:read': [
      'listUsers',
      'getUser',
      'listTokens',
      'listSignInsOfUser',
      'listInvitations',
      'listGroups',
      'getGroup',
      'listMembers'
    ],
    all: [
      'createUser',
      'updateUser',
      'disableUser',
      'enableUser',
      'deleteUser',
      'createToken',
      'deleteToken',
      'bindSignIn',
      'unbindSignIn',
      'setGrants',
      'inviteUser',
      'createInvitation',
      'revokeInvitation',
      'createGroup',
      'updateGroup',
      'deleteGroup',
      'addMember',
      'removeMember'
    ],
    scim: [
      'getScimConfiguration',
      'listScimResourceTypes',
      'getScimResourceType',
      'listScimSchemas',
      'getScimSchema',
      'listScimUsers',
      'createScimUser',
      'getScimUser',
      'replaceScimUser',
      'patchScimUser',
      'deleteScimUser',
      'listScimGroups',
      'createScimGroup',
      'getScimGroup',
      'replaceScimGroup',
      'patchScimGroup',
      'deleteScimGroup'
    ]
  },
  audit: {
    'admin:read': ['searchAudit', 'countAudit', 'getAuditEntry']
  },
  admin: {
    'admin:read': [
      ...ofKinds(KINDS, 'list*sAsAdmin', 'get*AsAdmin'),
      'listRunResultsAsAdmin',
      'getRunResultAsAdmin',
      'listAllDevices',
      'listDevicesOfUser',
      'listBlockedAddresses',
      'listDeletedRecords',
      'getLlmSpending',
      'listLlmBudgets',
      'getLlmBudget',
      'getStatus'
    ],
    all: [
      'createLlmBudget',
      'updateLlmBudget',
      'deleteLlmBudget',
      ...ofKinds(LOCKABLES, 'delete*AsAdmin'),
      // A snippet is locked as it is edited.
      ...ofKinds(
        LOCKABLES.filter((kind) => kind !== 'snippet'),
        'lock*'
      ),
      'createSnippetAsAdmin',
      'updateSnippetAsAdmin',
      'deleteRequestAsAdmin',
      'deleteRunResultAsAdmin',
      'revokeDeviceAsAdmin',
      'changeHubAvatar',
      'unblockAddress',
      'undoChanges',
      'undeleteRecord',
      'reloadConfiguration'
    ]
  }
}

const byOperation = new Map<string, Access>()
for (const who of keysOf(TABLE)) {
  for (const needs of keysOf(TABLE[who])) {
    for (const operation of TABLE[who][needs] ?? []) {
      if (byOperation.has(operation)) throw new Error(`${operation} stands twice in the table of access.`)
      byOperation.set(operation, { who, needs })
    }
  }
}

/** The line of an operation; it throws where there is none. */
export function accessTo(operation: string): Access {
  const access = byOperation.get(operation)
  if (!access) throw new Error(`${operation} is not in the table of access (src/http/access.ts).`)
  return access
}

function keysOf<K extends string>(record: Readonly<Partial<Record<K, unknown>>>): readonly K[] {
  // The keys of a literal are those of its type.
  return Object.keys(record) as K[]
}
