import { LIMITS } from './limits.js'

/** What is wrong with one field of a request. */
export interface Fault {
  readonly in: 'params' | 'body' | 'query'
  /** The keys that lead to it, with dots between them; empty for the part as a whole. */
  readonly path: string
  readonly message: string
}

/** After so many seconds somebody who was refused with 503 may try again, where nothing says it better. */
const RETRY_SECONDS = 1
/** The same where somebody has to put something right first. */
const repairedFirst = { 'retry-after': '60' }

/** A refusal with the status and the text that the client sees. */
export class HubError extends Error {
  override readonly name = 'HubError'
  /** True where something is out of order, and not only refused: the log tells of it. */
  readonly isFailure: boolean = false
  #code = 'refused'
  #headers: Readonly<Record<string, string>>
  #faults: readonly Fault[] = []

  /** `members` stand beside the text in the body of the answer. Every 503 says when to try again. */
  constructor(
    readonly status: number,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    readonly members: Readonly<Record<string, unknown>> = {}
  ) {
    super(message)
    this.#headers = status === 503 ? { 'retry-after': String(RETRY_SECONDS), ...headers } : headers
  }

  /** The headers of the answer. */
  get headers(): Readonly<Record<string, string>> {
    return this.#headers
  }

  /** What kind of refusal it is, for programs: it stays the same from release to release. */
  get code(): string {
    return this.#code
  }

  /** Everything that is wrong with the fields of the request, where that is why. */
  get faults(): readonly Fault[] {
    return this.#faults
  }

  withHeaders(headers: Readonly<Record<string, string>>): this {
    this.#headers = { ...this.#headers, ...headers }
    return this
  }

  coded(code: string): this {
    this.#code = code
    return this
  }

  because(faults: readonly Fault[]): this {
    this.#faults = faults
    return this
  }
}

/** The refusal to delete what is locked: it is kept in the log. */
export class DeletionLocked extends HubError {
  constructor(readonly kind: string) {
    super(403, `Deletion is locked for this ${kind}.`)
  }
}

/**
 * Every way the hub refuses, each under its name, with its status and the exact text of the interface. The domain throws these;
 * HTTP maps them once. The name is the code that programs know it by (`notFound` is `not-found`): it is not changed. Texts that are made elsewhere: what a schema says of a field, what a database says of a change that is
 * too large (`ChangeTooLarge`), what an operator does about a log of another version (`src/ledger/release.ts`), and what a provider of
 * models failed at. That is a `ProviderFailure` (`src/llm/failure.ts`, `step.ts`, `stepEvents.ts`): 502 where somebody has to
 * change something, 503 where it may work in a moment or was cancelled, 504 where it took too long.
 */
/** Who sets the limit of a body: that of bodies with content can be. */
const whoSets = (max_bytes: number) =>
  max_bytes > LIMITS.body.max ? ' Whoever runs the hub can raise server.bodyLimitMb.' : ''

/** What to do about a file that is too large: `setting` is the key of the section `import` that sets the bound. */
function howToGoOn(setting?: string): string {
  if (setting === undefined) return 'Import it in parts.'
  return `Import it in parts, or ask who runs the hub to raise import.${setting}.`
}

const SCOPES_TOLD = 'read, write, llm, agent, admin:read, scim, and collection: with the id of one'

/** Every refusal with its status and its text, in one table that is as long as there are refusals: docs/errors.md is written from it. */
export const errors = coded({
  pathUnreadable: () => new HubError(400, 'The path of the URL is not valid: check its percent-encoding.'),
  queryUnreadable: () => new HubError(400, 'The query of the URL is not valid: check its percent-encoding.'),
  idTooLong: () => new HubError(414, 'A part of the URL is too long to be an id.'),
  routeUnknown: (method: string, url: string) => new HubError(404, `Route ${method}:${url} not found`),
  hostMissing: () => new HubError(400, 'The request has no Host header.'),
  hostRepeated: () => new HubError(400, 'The request has more than one Host header.'),
  expectationUnknown: () => new HubError(417, 'Expect: The hub knows 100-continue alone.'),
  headersTooLarge: () => new HubError(431, `The headers are larger than ${LIMITS.headers.max} bytes.`),
  requestLate: () => new HubError(408, 'The request did not come in time.'),
  /** What the server or the framework refuses for a reason that has no name here. */
  badRequest: (status = 400) => new HubError(status, 'Bad Request'),
  bodyTooLarge: (max_bytes: number | undefined) =>
    new HubError(413, `The request body is larger than ${max_bytes} bytes.${whoSets(max_bytes ?? 0)}`),
  bodyEncoded: (encoding: string) =>
    new HubError(415, `The request body must not be encoded (Content-Encoding: ${encoding}). Send it as it is.`),
  bodyTypeUnknown: () => new HubError(415, 'Unsupported content type. Send application/json.'),
  bodyEmpty: () => new HubError(400, 'The request body is empty, but its content type is application/json.'),
  bodyNotUtf8: () => new HubError(400, 'The request body is not valid UTF-8.'),
  bodyNotJson: () => new HubError(400, 'The request body is not valid JSON, or has a __proto__ key in it.'),
  bodyNoObject: () => new HubError(400, 'The request body must be a JSON object.'),
  jsonTooDeep: () => new HubError(400, `JSON may be nested at most ${LIMITS.jsonDepth.max} levels deep.`),
  jsonTooMany: (max: number) => new HubError(400, `JSON may have at most ${max} keys and list items.`),
  partInvalid: (part: string) => new HubError(400, `The request ${part} is not valid.`),
  fieldInvalid: (path: string, why: string) => new HubError(400, `${path}: ${why}`),
  /** What a schema says in a whole sentence. */
  invalid: (message: string) => new HubError(400, message),
  cursorMalformed: () =>
    new HubError(400, 'cursor is none of this list: send nextCursor of the page before as it was, or leave it out.'),
  fieldUnknown: (name: string, known: readonly string[]) =>
    new HubError(400, `fields: there is no ${name.slice(0, LIMITS.id.max)}. Choose from id, ${known.join(', ')}.`),
  unauthorized: () => new HubError(401, 'Unauthorized', { 'www-authenticate': 'Bearer' }),
  /** The same for a token that the hub has known: whoever shows it is told why, as RFC 6750 has it. */
  tokenRevoked: () =>
    new HubError(401, 'Unauthorized', {
      'www-authenticate': 'Bearer error="invalid_token", error_description="The token was revoked."'
    }),
  /** The same for a token whose time is over. */
  tokenExpired: () =>
    new HubError(401, 'Unauthorized', {
      'www-authenticate': 'Bearer error="invalid_token", error_description="The token has expired."'
    }),
  /** The same for one whose account is disabled. */
  tokenOfDisabled: () =>
    new HubError(401, 'Unauthorized', {
      'www-authenticate': 'Bearer error="invalid_token", error_description="The account is disabled."'
    }),
  forbidden: () => new HubError(403, 'Forbidden'),
  /** What the account may do and this token of it may not, as RFC 6750 has it. */
  scopeMissing: (scope: string | null) =>
    new HubError(
      403,
      scope === null
        ? 'This token is limited to its scopes, and this takes one without scopes.'
        : `This token is limited to its scopes, and this takes the scope "${scope}".`,
      { 'www-authenticate': `Bearer error="insufficient_scope"${scope === null ? '' : `, scope="${scope}"`}` }
    ),
  ofAllCollections: () =>
    new HubError(403, 'This token is limited to collections, and this is of all of them.', {
      'www-authenticate': 'Bearer error="insufficient_scope"'
    }),
  viewerOnly: () => new HubError(403, 'You may look at this and not change it.'),
  managersShare: () => new HubError(403, 'Managers of this, whoever has made it and administrators say who has it.'),
  memberNotManaged: (id: string) =>
    new HubError(403, `The account ${id} is not that of a user. Administrators alone say which groups it is in.`),
  ownGrant: () => new HubError(403, 'Nobody changes what they may do themselves.'),
  tooManyGrants: () => new HubError(409, `An account has at most ${LIMITS.accessList.max} grants.`),
  grantTwice: () => new HubError(400, 'grants: Name each record once.'),
  groupNameTaken: (name: string) => new HubError(400, `A group is called "${name}" already.`),
  tooManyMembers: () => new HubError(400, `A request changes at most ${LIMITS.membersChanged.max} members.`),
  tooManyGroups: () => new HubError(400, `An account is in at most ${LIMITS.groupsOfAccount.max} groups.`),
  tooManyTokens: () =>
    new HubError(
      409,
      `An account has at most ${LIMITS.tokensOfAccount.max} tokens and sessions at once. Revoke some, or have an administrator do so.`
    ),
  /** What a directory has sent that is not as SCIM has it. */
  scimRefused: (why: string, scimType: string) => new HubError(400, why, {}, { scimType }),
  authorizationOff: () =>
    new HubError(404, 'Programs get no tokens by themselves here: the configuration has no section authorization.'),
  authorizationFull: () => new HubError(503, 'Too many programs ask for a token. Try again in a moment.'),
  questionUnknown: () =>
    new HubError(
      404,
      'No program waits for this code. It is good for ten minutes, and once: have the program ask again.'
    ),
  accountDisabled: () => new HubError(403, 'This account is disabled. Ask whoever runs the hub.'),
  serviceAccount: () => new HubError(409, 'This is the account of a machine, which nobody signs in as.'),
  exactRoleMissing: (role: string) =>
    new HubError(
      409,
      `The role of this account is "${role}", which some clients are told as "user": nothing was changed. Change the account in the console, or send exactRole.`
    ),
  accessByList: () =>
    new HubError(409, 'The access list of this account holds it already: an administrator changes that.'),
  rolesDiffer: () =>
    new HubError(
      400,
      'exactRole: It says another role than role does. Send one of them, or both as they are answered.'
    ),
  tokenEndPast: () => new HubError(400, 'expiresAt: The end of a token must be in the future.'),
  tokenTooLong: (days: number) =>
    new HubError(400, `expiresAt: A token of this hub ends within ${days} days (tokens.expiresInDaysMax).`),
  scopeUnknown: (scope: string) =>
    new HubError(400, `scopes: There is no scope "${scope.slice(0, LIMITS.id.max)}". Choose from ${SCOPES_TOLD}.`),
  scopesEmpty: () =>
    new HubError(400, 'scopes: Say what the token may do, such as read or write; collections only say where.'),
  agentWritesNotYours: () =>
    new HubError(403, 'Agents may not write with this token, so it issues none with which they may.'),
  notBound: (name: string) =>
    new HubError(
      403,
      `No account of this hub is that of ${name}. Ask whoever runs the hub for an account; who has one binds this sign-in to it on the page of their account, signed in with its token.`
    ),
  newcomerNameTaken: (name: string) =>
    new HubError(
      409,
      `An account of this hub is called ${name} already. If it is yours, bind this sign-in to it on the page of your account, signed in with its token; else ask whoever runs the hub.`
    ),
  boundElsewhere: (name: string) => new HubError(409, `${name} signs in to another account of this hub already.`),
  notLetIn: (name: string) =>
    new HubError(403, `${name} is in no group and no domain that may sign in here. Ask whoever runs the hub.`),
  providerUnknown: () => new HubError(404, 'There is no such way to sign in.'),
  signInLost: () =>
    new HubError(400, 'This sign-in was not begun in this browser, or too long ago. Begin again from the first page.'),
  signInRefused: (why: string) => new HubError(400, `The provider did not sign you in: ${why}.`),
  providerWrong: () =>
    new HubError(
      502,
      'The provider answered something that the hub does not accept. Whoever runs the hub finds why in its log.'
    ),
  providerSilent: () =>
    new HubError(503, 'The provider does not answer. Try again in a moment, or sign in with a token.', {
      'retry-after': '5'
    }),
  logoutRefused: () => new HubError(400, 'This is no logout token of the provider.'),
  crossSite: () => new HubError(403, 'A page of another address may not do this with the session of this browser.'),
  tokenOver: () => new HubError(409, 'The token is revoked or has expired: issue a new one.'),
  tokenReplaced: () =>
    new HubError(409, 'Another token has taken its place, and a budget counts that one: replace the newest of them.'),
  sessionNotRotated: () =>
    new HubError(409, 'This token is the session of a browser, which ends by itself: sign in again there.'),
  deletionLocked: (kind: string) => new DeletionLocked(kind),
  notFound: (label: string) => new HubError(404, `${label} not found`),
  parentFolderNotFound: () => new HubError(404, 'Parent folder not found in collection'),
  collectionDeleted: () =>
    new HubError(409, 'The collection that this belonged to is deleted. Bring the collection back first.'),
  notDeleted: (label: string) => new HubError(409, `${label} is not deleted.`),
  notThere: (label: string) => new HubError(404, `${label} was not there at that time.`),
  notDeletedYet: () => new HubError(409, 'Only what is deleted can be erased. Delete it first.'),
  versionEmpty: (version: number) =>
    new HubError(400, `Version ${version} has no content to restore: choose another one.`),
  noTextAt: (version: number, path: string) =>
    new HubError(400, `Version ${version} has no text at ${path}: name a version that set it, as hub diff prints it.`),
  valueInUse: (label: string) =>
    new HubError(400, `The ${label.toLowerCase()} has this value now. Change it first, then erase it.`),
  momentMalformed: (what: string) =>
    new HubError(400, `${what} must be a position of the log or a time such as 2026-01-31T12:00:00Z.`),
  beyondEnd: (what: string, end: number) =>
    new HubError(400, `${what} is beyond the end of the log, which is at position ${end}.`),
  lastEventMalformed: () => new HubError(400, 'Last-Event-ID must be the id of an event of this stream.'),
  cursorLost: (what: string) =>
    new HubError(410, `${what} is from before the log went back: read everything anew, and follow it from its end.`),
  versionUnknown: (last: number) =>
    new HubError(404, `There is no such version: this record has versions 1 to ${last}.`),
  changed: () => new HubError(412, 'This record has changed since it was read. Read it again, then repeat the change.'),
  keyMalformed: () => new HubError(400, 'The Idempotency-Key must be 1 to 255 printable ASCII characters.'),
  keyNotTaken: () =>
    new HubError(400, 'This request cannot be made repeatable. Send it without the Idempotency-Key header.'),
  keyUsed: () =>
    new HubError(
      422,
      'This Idempotency-Key was used for a request with another body in the last 24 hours. Choose a new key for this one.'
    ),
  secretShown: () =>
    new HubError(
      409,
      'This was done already under this Idempotency-Key, and its secret was shown once, in the first answer. If that is ' +
        'lost, revoke what was made and make a new one under a new key.'
    ),
  answerErased: () =>
    new HubError(410, 'This was done already under this Idempotency-Key, and what it answered is erased since.'),
  tooManyRequests: (retryAfterSeconds: number) =>
    new HubError(429, 'Too Many Requests', { 'retry-after': String(retryAfterSeconds) }),
  tooManyStreams: (max: number) =>
    new HubError(429, `There are ${max} open streams of changes, and no more are allowed. Close some of them first.`),
  tooManyTickets: (max: number, retryAfterSeconds: number) =>
    new HubError(
      429,
      `There were ${max} tickets for this token in the last ${retryAfterSeconds} seconds. Wait a moment.`,
      {
        'retry-after': String(retryAfterSeconds)
      }
    ),
  tooMuchToWrite: () => new HubError(503, 'The hub has more to write than it can take. Try again in a moment.'),
  stopping: () => new HubError(503, 'The hub is stopping. Try again in a moment.'),
  overloaded: () => new HubError(503, 'The hub is overloaded. Try again in a moment.'),
  tooMuchWaiting: () => new HubError(503, 'Too much is waiting to be sent to clients. Try again in a moment.'),
  failed: () => new HubError(500, 'Internal Server Error'),
  configurationUnusable: (why: string, report: object) => new HubError(400, why, {}, { ...report }),
  changeTooLarge: (why: string) => new HubError(413, why),
  unavailable: () => new HubError(503, 'Service Unavailable'),
  busy: () => new HubError(503, 'The hub is busy. Try again in a moment.'),
  superseded: (why: string) => new HubError(503, why),
  headWentBack: (why: string) => new HubError(503, why, repairedFirst),
  notGranted: (why: string) => new HubError(403, why),
  wrongServer: (why: string) => new HubError(503, why),
  clockAhead: (why: string) => new HubError(503, why, repairedFirst),
  logObstructed: (why: string) => new HubError(503, why, repairedFirst),
  imagesUnavailable: () =>
    new HubError(503, 'Images are not available: their storage does not answer. Try again in a moment.'),
  searchUnavailable: () => new HubError(503, 'Search is not available. Try again in a moment.'),
  databaseUnavailable: () => new HubError(503, 'The database is not available. Try again in a moment.'),

  llmNotConfigured: () => new HubError(503, 'LLM support is not configured on this Team Hub.', repairedFirst),
  llmLimitReached: () =>
    new HubError(402, 'Monthly LLM token limit reached. Try again next month or contact your administrator.'),
  llmCallTooLarge: (most: number, left: number) =>
    new HubError(
      402,
      `This call may use up to ${most} tokens, and ${left} are left of this month’s limit. Ask for a shorter answer, send less, or contact your administrator. The next month begins on its first day, UTC.`
    ),
  llmBudgetUsedUp: (name: string, end: string) =>
    new HubError(402, `The budget "${name}" is used up until ${end}. Try again then, or contact your administrator.`),
  llmBudgetTooSmall: (name: string, end: string) =>
    new HubError(
      402,
      `This call may use more than is left of the budget "${name}" until ${end}. Ask for a shorter answer, send less, or contact your administrator.`
    ),
  llmBudgetHeld: (name: string, retryAfterSeconds: number) =>
    new HubError(
      429,
      `What is left of the budget "${name}" is held while other calls are still running. Try again in a moment.`,
      { 'retry-after': String(retryAfterSeconds) }
    ),
  modelUnpriced: (models: readonly string[], name: string) =>
    new HubError(
      403,
      `The budget "${name}" is in US dollars, and not each of these models has a price: ${models.join(', ')}. An administrator sets it in llm.catalog.`
    ),
  budgetNameTaken: (name: string) => new HubError(400, `A budget is called "${name}" already.`),
  budgetSubjectMalformed: () =>
    new HubError(400, 'subjectId: Give the id of the account, the group or the token; null for all of the hub.'),
  budgetSubjectGone: (subject: string) => new HubError(400, `subjectId: There is no ${subject} with this id.`),
  budgetLimitNotWhole: () => new HubError(400, 'limit must be a whole number of tokens.'),
  budgetLimitTooSmall: () => new HubError(400, 'limit must be at least a millionth of a dollar.'),
  tooManyBudgets: () => new HubError(400, `There are at most ${LIMITS.llmBudgets.max} budgets.`),
  llmTokensHeld: (retryAfterSeconds: number) =>
    new HubError(
      429,
      'What is left of this month’s LLM tokens is held while another chat of yours is still running. Try again in a moment.',
      { 'retry-after': String(retryAfterSeconds) }
    ),
  monthAndDays: () => new HubError(400, 'month stands for all of a month: leave out from and to.'),
  monthMalformed: () => new HubError(400, 'month must be a UTC month such as 2026-01.'),
  dayMalformed: (what: string) => new HubError(400, `${what} must be a UTC day such as 2026-01-31.`),
  daysReversed: () => new HubError(400, 'to must not be before from.'),
  tooManyDays: () => new HubError(400, `A report covers at most ${LIMITS.spendDays.max} days.`),
  modelNotOffered: () => new HubError(403, 'Model is not offered by this Team Hub.'),
  modelNotFound: () =>
    new HubError(404, 'There is no model of this id here. GET /v1/models lists those that you may use.'),
  modelElsewhere: (path: string) =>
    new HubError(400, `This model is not served by ${path}: its provider has another interface.`),
  modelCallRefused: (what: string) => new HubError(400, what),
  tooManyModelCalls: (max: number) =>
    new HubError(
      429,
      `There are ${max} calls of models under way, and no more are allowed at once. Try again in a moment.`,
      {
        'retry-after': '1'
      }
    ),
  modelNotAllowed: () => new HubError(403, 'You are not allowed to use this model.'),

  unknownIds: (label: string, ids: readonly string[]) =>
    new HubError(
      400,
      ids.length === 1 ? `Unknown ${label} id: ${ids[0]}.` : `Unknown ${label} id(s): ${ids.join(', ')}.`
    ),
  mixedWildcard: () => new HubError(400, 'Wildcard access "*" must be the only entry.'),
  adminAccess: () => new HubError(400, 'Admin users cannot have collection, environment, or snippet access.'),
  adminLlmAccess: () => new HubError(400, 'Admin users cannot have LLM access.'),
  nameEmpty: () => new HubError(400, 'Name must not be empty.'),
  nameAmbiguous: (ids: readonly string[]) =>
    new HubError(400, `Several accounts go by this name: ${ids.join(', ')}. Give an id.`),
  nameTaken: () => new HubError(400, 'User name is already in use.'),
  nameTakenBy: (name: string) => new HubError(400, `User name "${name}" is already in use.`),
  nameReserved: (name: string) => new HubError(400, `User name "${name}" is reserved for the internal system account.`),
  invitationUnknown: () => new HubError(404, 'Invalid or expired invitation.'),
  invitationOver: () => new HubError(410, 'Invalid or expired invitation.'),
  invitationNotRevocable: () => new HubError(404, 'Invitation not found or not revocable.'),
  invitationMalformed: () => new HubError(400, 'Invalid invitation secret format.'),
  sortOrderTooLarge: () => new HubError(400, `sortOrder must be at most ${LIMITS.sortOrder.max}.`),
  nothingToChange: () => new HubError(400, 'Send deletionLocked, or name, code and scope.'),
  runResultMalformed: (why = 'The payload is not valid.') => new HubError(400, why),
  agentsOff: () => new HubError(404, 'This hub serves no agents: agents.enabled is off in its configuration.'),
  agentsOnlyPost: () =>
    new HubError(405, 'Send MCP messages to this address with POST: it keeps no sessions and streams nothing.', {
      allow: 'POST'
    }),
  originRefused: () => new HubError(403, 'Requests from pages of this origin are not taken.'),
  agentWritesRefused: () =>
    new HubError(
      403,
      'This token lets agents read only. Ask an administrator for one that is issued with agentWrites.'
    ),
  cursorUnknown: () =>
    new HubError(
      400,
      'cursor: None of this list. Send `next`, or `nextCursor`, of the answer before, or leave it out.'
    ),
  resourceUnknown: () => new HubError(404, 'There is no such resource: list the templates of URIs.'),
  resourceTooLarge: () =>
    new HubError(413, 'This record is larger than one answer may be: read it in parts with a tool.'),
  maskSent: (where: 'auth' | 'headers') =>
    new HubError(400, `${where}: [masked] stands for a secret that was not shown. Send the secret, or leave it empty.`),
  itemTwice: (kind: string) => new HubError(400, `The order must not name a ${kind} twice.`),
  folderTwice: () => new HubError(400, 'orderedFolderIds must not name a folder twice.'),
  environmentInItself: () => new HubError(400, 'An environment cannot be its own parent, directly or through others.'),
  importUnreadable: (why: string) => new HubError(400, `The file cannot be imported: ${why}`),
  importFormatUnknown: (known: readonly string[]) =>
    new HubError(400, `The file is of no format that can be told from its content. Name one: ${known.join(', ')}.`),
  importPartWanted: (count: number) =>
    new HubError(
      400,
      `There are ${count} things to import in the file. Name one by its id as \`part\`: a preview lists them.`
    ),
  /** `setting` is the key of the section `import` that sets the bound; absent where it is fixed. */
  importTooLarge: (why: string, setting?: string) =>
    new HubError(413, `The file is too large to import: ${why}. ${howToGoOn(setting)}`),
  importTooLong: (max_ms: number) =>
    new HubError(
      413,
      `The file is too large to import: reading it takes longer than ${max_ms / 1000} seconds. ${howToGoOn('maxSeconds')}`
    ),
  tooManyFiles: (max: number) =>
    new HubError(
      429,
      `There are ${max} files or copies of this account that are read or written, and no more are allowed. Try again in a moment.`,
      { 'retry-after': '5' }
    ),
  undoOfOneThing: () => new HubError(400, 'Send one of token, event and request.'),
  undoRange: () => new HubError(400, 'Send from and to with a token alone: an event or a request is at one time.'),
  undoTooLarge: ({ events, records }: { readonly events: number; readonly records: number }) =>
    new HubError(
      413,
      `An undo takes back at most ${records} records and ${events} events. Name a shorter time with from and to, or run hub undo on the host.`
    ),
  copyTooLarge: () =>
    new HubError(
      413,
      `It is too large to copy at once: a copy holds at most ${LIMITS.copyItems.max} folders, requests and documents, with ${LIMITS.copyContent.max} characters. Copy the folders in it one by one.`
    ),
  transferTooLarge: () =>
    new HubError(
      413,
      `It holds too much to go to another collection at once: at most ${LIMITS.copyItems.max} folders, requests and documents, with ${LIMITS.copyContent.max} characters. Move what is in it part by part.`
    ),
  folderThereAlready: () =>
    new HubError(400, 'The folder is in that collection already: PUT /folders/{id}/move moves it within.'),
  exportTooLarge: () =>
    new HubError(
      413,
      `The collection is too large to export: it holds more than ${LIMITS.exportContent.max} characters. Export its folders one by one: \`only\` takes their ids.`
    ),
  consoleNotBuilt: () =>
    new HubError(
      404,
      'The console is not built here. Run `npm run build` where the hub is installed, then load this page again.'
    ),
  webhooksNotConfigured: () =>
    new HubError(
      503,
      'Webhooks are not configured on this Team Hub: an operator sets webhooks.keyFile.',
      repairedFirst
    ),
  webhookNeedsCollection: () =>
    new HubError(403, 'Name a collectionId: only administrators can subscribe to all changes.'),
  tooManyWebhooks: (max: number) =>
    new HubError(409, `There are ${max} webhooks, and no more are allowed. Delete some of them first.`),
  tenantsOff: () => new HubError(400, 'Multitenancy is disabled; only the default tenant is available.'),
  tenantMalformed: () => new HubError(400, 'Tenant id may only contain letters, digits, underscores, and hyphens.'),
  tenantTooLong: (max: number) => new HubError(400, `Tenant id must be at most ${max} characters.`),
  tenantExists: (id: string) => new HubError(409, `A tenant with id "${id}" already exists.`),
  tooManyTenants: (max: number) =>
    new HubError(409, `There are ${max} tenants, and no more are allowed. Delete some of them first.`),
  tenantMoving: () =>
    new HubError(503, 'This tenant is being moved: it can be read, and nothing can be changed. Try again in a moment.'),
  tenantNotReady: () => new HubError(503, 'This tenant is being made ready. Try again in a moment.'),
  tenantElsewhere: () => new HubError(503, 'This tenant was moved or deleted just now. Try again in a moment.'),
  tooManyTenantsOpen: () => new HubError(503, 'Too many tenants are in use at once. Try again in a moment.'),
  hubOnly: () => new HubError(403, 'Only administrators of the hub itself can do this, and this is a tenant of it.'),
  commentEmpty: () => new HubError(400, 'Comment body is required'),
  commentEncrypted: () =>
    new HubError(400, 'Encrypted discussion payloads are only accepted on E2EE-enabled Team Hubs'),
  commentRetracted: () => new HubError(400, 'Cannot reply to a deleted comment'),
  commentOfAnother: () => new HubError(403, 'You can only edit your own comments'),
  commentPlain: () =>
    new HubError(
      400,
      'Plaintext discussion bodies are not accepted on this Team Hub. Encrypted payloads are required.'
    ),
  groupOfAnother: () => new HubError(400, 'MLS group id must be that of what is discussed.'),
  groupMalformed: () => new HubError(400, 'Invalid MLS group id'),
  encryptionOff: () =>
    new HubError(404, 'Device enrollment is only available on Team Hubs with discussion E2EE enabled.'),
  deviceEnrolled: () => new HubError(409, 'This device is already enrolled.'),
  deviceNotEnrolled: () => new HubError(403, 'Sender device is not enrolled on this Team Hub'),
  tooManyDevices: (max: number) =>
    new HubError(409, `There are ${max} devices of this account, and no more are allowed. Revoke some of them first.`),
  epochTaken: (epoch: number) =>
    new HubError(409, `The MLS group is at epoch ${epoch}. Read its commits, then send one for a later epoch.`),
  epochTooFar: (last: number) =>
    new HubError(
      409,
      `A commit takes an MLS group ${LIMITS.epochStep.max} epochs on at most, this one to epoch ${last}. Read its commits, then send one for the next epoch.`
    ),
  tooManyOwnWelcomes: (max: number) =>
    new HubError(409, `You have sent ${max} welcomes for this device in this MLS group, and no more are allowed.`),
  tooManyWelcomes: (max: number) =>
    new HubError(409, `There are ${max} welcomes for this device in this MLS group, and no more are allowed.`),
  avatarEmpty: () => new HubError(400, 'Send initials, color or imageDataUrl.'),
  avatarImageMalformed: () => new HubError(400, 'Avatar image must be a base64 image data URL.'),
  avatarImageTypeUnknown: (type: string) =>
    new HubError(400, `Avatar image type "${type}" is not supported. Use JPEG, PNG, WebP, or GIF.`),
  avatarImageEmpty: () => new HubError(400, 'Avatar image payload is empty.'),
  avatarImageTooLarge: () => new HubError(400, `Avatar image exceeds the maximum size of ${LIMITS.blob.max} bytes.`),
  avatarImageUnreadable: (format: string) =>
    new HubError(400, `Avatar image is damaged, cut short, or no ${format} at all.`),
  avatarImageTooWide: () =>
    new HubError(400, `Avatar image must be at most ${LIMITS.imageSide.max} pixels wide and high.`),
  folderInItself: () => new HubError(400, 'Cannot move a folder under itself or a descendant.')
})

/** The code of a refusal, from its name in the catalogue. */
export function codeOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

function coded<C extends Readonly<Record<string, (...args: never[]) => HubError>>>(catalogue: C): C {
  const entries = Object.entries(catalogue).map(([name, make]) => {
    const code = codeOf(name)
    return [name, (...args: never[]) => make(...args).coded(code)] as const
  })
  // Each takes what the catalogue's own takes, and returns what that has made.
  return Object.fromEntries(entries) as C
}
