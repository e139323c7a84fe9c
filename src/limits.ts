import { z } from 'zod'

/** One bound of the hub: at most `max` of a unit. */
export interface Limit {
  readonly max: number
  readonly unit:
    | 'bytes'
    | 'characters'
    | 'items'
    | 'levels'
    | 'ms'
    | 'calls'
    | 'bytes/s'
    | 'places'
    | 'percent'
    | 'pixels'
  /** What is bounded, as `docs/limits.md` tells it. */
  readonly what: string
}

const KB = 1024
const MB = 1024 * KB
const BODY_MOST = 64 * MB

/**
 * Every bound that somebody outside can meet, in one place: what a request may bring, how large a page of anything is, what may
 * wait to be written or sent. `docs/limits.md` is written from this table, and errors tell its numbers. It is one table, and as long as there are bounds.
 */
export const LIMITS = {
  anonymousBody: limit(4 * KB, 'bytes', 'the body of a request without a token, and of one that needs no body'),
  body: limit(64 * KB, 'bytes', 'the body of a request, where it carries no content'),
  contentBody: limit(8 * MB, 'bytes', 'the body of a request with content; `server.bodyLimitMb` sets it'),
  jsonDepth: limit(64, 'levels', 'how deep JSON in a body may be nested'),
  jsonValues: limit(
    50_000,
    'items',
    'keys and list items of all objects and lists in a body together; more where more bytes are allowed'
  ),
  jsonValueBytes: limit(32, 'bytes', 'of what a body may have, for each key or list item: 262,144 of them for 8 MB'),

  faults: limit(100, 'items', 'the faults of a request that its refusal tells one by one'),

  name: limit(500, 'characters', 'the name of anything'),
  rawName: limit(2000, 'characters', 'a name as it is sent, before it is brought into its composed form'),
  id: limit(64, 'characters', 'an id'),
  label: limit(500, 'characters', 'a label, a marker, a term that is searched for'),
  text: limit(64 * MB, 'characters', 'one text inside a record; the limit of the body comes first'),
  page: limit(
    4 * MB,
    'bytes',
    'one page of events or rows, as it is read or sent; a single larger one is a page of its own'
  ),

  toolCalls: limit(
    64,
    'calls',
    'calls of tools in one chat step, of the hub or the client; `llm.toolCallsPerStep` sets it'
  ),
  answerParts: limit(1000, 'items', 'parts of one answer of a model: calls of tools, blocks of text'),
  answerText: limit(2 * MB, 'characters', 'what a model writes in one streamed answer: text and arguments of tools'),
  answerBody: limit(
    4 * MB,
    'bytes',
    'one answer of a provider or a tool server, where it is held as a whole; one event of a stream to another program'
  ),
  answerPassed: limit(256 * MB, 'bytes', 'one answer to a call by another program that is sent as it comes'),
  llmWrites: limit(
    2000,
    'items',
    'calls of models whose use is kept while the database is away; of further ones it is lost'
  ),
  modelCalls: limit(1024, 'calls', 'calls of models by other programs that are under way; further ones get 429'),
  modelCallsOfAccount: limit(256, 'calls', 'those of one account'),
  modelCallImages: limit(500, 'items', 'images in such a call'),
  modelCall: limit(600_000, 'ms', 'how long such a call takes at most'),
  toolName: limit(100, 'characters', 'what is kept of how a program that asks a model calls itself'),
  answerStream: limit(32 * MB, 'bytes', 'one answer of a provider to a chat, where it comes as a stream of events'),
  answerEvent: limit(MB, 'bytes', 'one event in such a stream, all of its lines together'),
  toolArguments: limit(256 * KB, 'characters', 'the arguments of one call of a tool; longer ones count as none'),
  toolArgumentValues: limit(10_000, 'items', 'keys and list items in the arguments of one call of a tool'),
  toolResult: limit(256 * KB, 'bytes', 'the result of one call of a tool; the rest is cut off'),
  toolResults: limit(MB, 'characters', 'the results of all calls of tools in one chat step; further ones are left out'),
  toolResultParts: limit(1000, 'items', 'parts of the result of one call of a tool'),
  toolDefinition: limit(64 * KB, 'characters', 'the definition of one tool of a tool server; larger ones are left out'),
  toolDefinitions: limit(MB, 'characters', 'the definitions of all tools of one tool server'),
  serverRequests: limit(256, 'calls', 'requests to one tool server at once'),
  serverTools: limit(256, 'items', 'tools of one tool server'),
  turnAge: limit(
    86_400_000,
    'ms',
    'how long after the beginning of a turn of a chat its continuations are let through'
  ),
  tickets: limit(10_000, 'items', 'tickets for streams that one process keeps, where no Redis does'),
  ticketsOfToken: limit(100, 'items', 'tickets for streams that a token gets in 30 seconds'),
  throttleBlocks: limit(10_000, 'items', 'blocked addresses that administrators are told of at once'),
  spendDays: limit(731, 'items', 'days in one report of what models were used for, and what they cost'),
  spendRows: limit(5000, 'items', 'rows of a report of use, by program for instance; further ones are told together'),
  turnsLearned: limit(10_000, 'items', 'accounts and their models of which a process keeps what their turns took'),
  turnSteps: limit(500, 'items', 'last chat steps of an account among which the beginning of a turn is looked for'),

  contentBodyMost: limit(BODY_MOST, 'bytes', 'what `server.bodyLimitMb` may be set to'),
  list: limit(40_000, 'items', 'one list in a body: variables, headers, ids in an order'),
  refreshToken: limit(16 * KB, 'characters', 'a refresh token of a provider'),
  logoutToken: limit(3500, 'characters', 'a logout token of a provider'),
  accessList: limit(10_000, 'items', 'one access list of an account'),
  llmBudgets: limit(200, 'items', 'the budgets of models'),
  groupsOfAccount: limit(100, 'items', 'the groups that one account is in'),
  tokensOfAccount: limit(1000, 'items', 'the tokens of one account that are in force, where it makes one more itself'),
  scimOperations: limit(100, 'items', 'the operations of one PATCH of a directory'),
  scimValues: limit(100, 'items', 'the mail addresses that a directory sends of one person'),
  scimFilter: limit(1000, 'characters', 'a filter, or a list of attributes, of a directory'),
  scimPage: limit(200, 'items', 'what a directory gets of a list at once'),
  membersChanged: limit(1000, 'items', 'the members of a group that one request adds or takes away'),
  membersNamed: limit(20_000, 'items', 'the members of a group that a directory names at once'),
  redirectUris: limit(10, 'items', 'where a program that asks for a token may have a browser led back to'),
  clientId: limit(3000, 'characters', 'the id of a program that asks for a token, which says what it is'),
  kept: limit(
    20_000,
    'items',
    'what is on its way between two requests, of each kind, of programs that ask for a token'
  ),
  programsOfSender: limit(100, 'calls', 'the questions that programs at one address may ask people in ten minutes'),
  keptText: limit(16 * KB, 'characters', 'one of them'),
  tokenScopes: limit(100, 'items', 'the scopes of one token'),
  modelId: limit(200, 'characters', 'the id of a model'),
  sortOrder: limit(2_000_000_000, 'places', 'the sort order that a snippet, a live server or a live page may be given'),
  favicon: limit(64 * KB, 'characters', 'the icon of a live page, as a data URL'),
  messages: limit(10_000, 'items', 'the messages of a chat step'),
  tools: limit(1000, 'items', 'the tools that a client brings to a chat step'),
  messageToolCalls: limit(1000, 'items', 'the tool calls of one message of a chat'),
  toolCallId: limit(16 * KB, 'characters', 'the id of a tool call'),
  turnId: limit(128, 'characters', 'the id that a client gives a turn of a streamed chat'),
  secret: limit(500, 'characters', 'the secret of an invitation, as it is sent'),

  importFiles: limit(5000, 'items', 'files in an archive that is imported; `import.maxFiles` sets it'),
  importUnpacked: limit(
    32 * MB,
    'bytes',
    'what an archive that is imported unpacks to; `import.maxUnpackedMb` sets it'
  ),
  importValues: limit(
    1_000_000,
    'items',
    'values in a file that is imported, those that it repeats by reference included; `import.maxValues` sets it'
  ),
  importYamlParts: limit(
    3_000_000,
    'items',
    'words and signs in a file of YAML that is imported; `import.maxYamlParts` sets it'
  ),
  importDepth: limit(200, 'levels', 'how deep values in a file that is imported may nest'),
  importFolders: limit(50, 'levels', 'how deep folders in a file that is imported may nest'),
  importItems: limit(
    2000,
    'items',
    'folders, requests and documents that one import brings; `import.maxItems` sets it'
  ),
  importContent: limit(
    3 * MB,
    'characters',
    'the contents that one import brings, all together; `import.maxContentMb` sets it'
  ),
  importTime: limit(
    20_000,
    'ms',
    'how long reading a file that is imported may have a processor, which `import.maxSeconds` sets, or writing one that is exported'
  ),
  importClock: limit(300_000, 'ms', 'how long the same may take by the clock, on a machine with much to do'),
  importMemory: limit(
    512 * MB,
    'bytes',
    'what the same may take of memory, and no more than 15 percent of what the process may have'
  ),
  importThreads: limit(2, 'items', 'files that are read or written at once, one of an account; further ones wait'),
  importsOfOne: limit(4, 'items', 'files and copies of one account that are under way or wait; further ones get 429'),
  importsWaiting: limit(64, 'items', 'files and copies that wait'),
  exportOnly: limit(100, 'items', 'the records that an export of a part of a collection names'),
  copyItems: limit(2000, 'items', 'folders, requests and documents in one copy, or in a folder that goes elsewhere'),
  copyContent: limit(3 * MB, 'characters', 'the contents of one copy, all together, or of what goes with a folder'),
  exportContent: limit(64 * MB, 'characters', 'the contents of a collection that is exported'),

  headers: limit(16 * KB, 'bytes', 'the request line and the headers of a request together'),
  connections: limit(
    10_000,
    'items',
    'open connections, at most half of the files that the process may open; more are closed at once'
  ),
  pipelined: limit(
    32,
    'items',
    'requests of one connection that are worked on at once; further ones wait, and nothing more is read of it'
  ),
  pipelinedWaiting: limit(
    50_000,
    'items',
    'requests that wait behind others of their connection, over all of them; what brings more is closed'
  ),
  headersTime: limit(15_000, 'ms', 'until the headers of a request are there, from when its connection is'),
  requestTime: limit(300_000, 'ms', 'until a whole request is there'),
  keepAliveTime: limit(72_000, 'ms', 'how long a connection without a request stays open'),
  bodyGrace: limit(10_000, 'ms', 'how long a body may come as slowly as it likes'),
  bodyRate: limit(KB, 'bytes/s', 'the least that comes of a body from then on, on the average'),
  unreadBody: limit(16 * MB, 'bytes', 'what is still taken of a body after its request was answered'),
  unreadTime: limit(10_000, 'ms', 'how long the rest of a body is still taken after its request was answered'),
  stopGrace: limit(2000, 'ms', 'how long a request that has not come whole may go on when the hub is stopped'),
  bodiesHeld: limit(
    64 * MB,
    'bytes',
    'bodies above 64 KB that are held at once, until they are answered; half of it for several of one account'
  ),
  stepsHeld: limit(
    128 * MB,
    'bytes',
    'the bodies of chat steps that are on their way, half of it for several of one account; further steps get 503'
  ),
  bodiesWaiting: limit(1000, 'items', 'requests whose bodies wait to be read'),
  bodyWait: limit(15_000, 'ms', 'how long a body waits to be read before its request is answered with 503'),

  writeQueue: limit(10_000, 'calls', 'writes that wait to be carried out, half of it for one account'),
  writeQueueBytes: limit(
    64 * MB,
    'bytes',
    'what the writes bring that wait to be carried out, half of it for several of one account'
  ),

  listPage: limit(1000, 'items', 'the records of one page of a list, as `limit` asks for them'),
  cursor: limit(8 * KB, 'characters', 'the cursor of a page, as it is sent'),
  fieldNames: limit(1000, 'characters', 'the names of the fields that a list is to have'),
  wholeList: limit(2 * MB, 'bytes', 'a list that is answered in one piece; a larger one is read and sent in parts'),
  uncompressed: limit(KB, 'bytes', 'an answer that nobody gets compressed; larger ones are for clients that accept it'),
  compressions: limit(16, 'calls', 'answers that are being compressed at once; further ones are sent as they are'),
  compressedStreams: limit(
    64,
    'calls',
    'answers in parts that are sent compressed at once; further ones are sent as they are'
  ),
  consoleFiles: limit(500, 'items', 'the files of the console, as it was built'),
  consoleBytes: limit(16 * MB, 'bytes', 'the files of the console together; the hub keeps them in memory'),
  waiting: limit(
    64 * MB,
    'bytes',
    'what waits to be sent to all clients together, half of it for several answers to one account; over it, what is large is refused'
  ),
  waitingOfOne: limit(16 * MB, 'bytes', 'what waits to be sent on one connection, but for a single larger answer'),
  waitingSmall: limit(64 * KB, 'bytes', 'what may always wait to be sent on a connection'),
  stalled: limit(30_000, 'ms', 'how long a client may take nothing of an answer'),
  loopDelay: limit(500, 'ms', 'the usual delay of the event loop, over which requests are refused'),
  heapShare: limit(85, 'percent', 'how much of the heap may be used before requests are refused'),
  memoryShare: limit(90, 'percent', 'how much of the memory that the process may have, before requests are refused'),
  wholeListRows: limit(
    2000,
    'items',
    'the records of a list that is answered in one piece, or of one part of a larger one'
  ),

  configFile: limit(16 * MB, 'bytes', 'the configuration file'),
  secretFile: limit(MB, 'bytes', 'a file that holds one value of the configuration: a mounted secret, certificates'),

  clockAhead: limit(120_000, 'ms', "how far the clock of a hub may be ahead of the database's"),
  databaseReaders: limit(100, 'items', 'connections to a database that read at once; `db.poolSize` sets how many'),
  serverPlaces: limit(20, 'items', 'servers that one key of the configuration names'),

  // The largest body there may be, whose quotes and backslashes are escaped once more, and what else an event holds.
  logLine: limit(2 * BODY_MOST + MB, 'bytes', 'one line of a backup'),
  backupFiles: limit(10_000, 'items', 'the files of one set of backups; the next one is a full one then'),

  agentAnswer: limit(
    128 * KB,
    'bytes',
    'the JSON of what one call of a tool by an agent answers; more is told by a cursor'
  ),
  agentClient: limit(100, 'characters', "the name of an agent's client, and its version; the rest is cut off"),
  searchQuery: limit(500, 'characters', 'what is searched for'),
  searchQueryWords: limit(32, 'items', 'the words of what is searched for; further ones are left out'),
  searchText: limit(64 * KB, 'characters', 'of one text of a record, what search finds; the rest is left out'),
  searchTerms: limit(5000, 'items', 'the different words of one record that search finds; further ones are left out'),
  searchPairs: limit(
    500,
    'items',
    'the words of one record that follow each other, two and two, whose order search knows; further ones are left out'
  ),
  searchFolders: limit(
    300,
    'items',
    'the folders and collections by whose names a search finds what is in them, shared by its words; further ones are left out'
  ),
  searchLevels: limit(20, 'levels', 'the folders, one in another, of whose names a search shows the words'),
  searchCorrections: limit(
    4000,
    'items',
    'the words that differ in one letter that one search tries; further words are not corrected'
  ),
  searchResults: limit(100, 'items', 'the records on one page of a search'),
  searchSnippet: limit(200, 'characters', 'one place in a text that a search has found'),
  searchUrl: limit(500, 'characters', 'what a search shows of the URL of a request'),
  searchSnippets: limit(3, 'items', 'the places that a search shows of one record'),
  searchWait: limit(1000, 'ms', 'how long a search waits until the index has what was written before it'),
  webhooks: limit(500, 'items', 'webhooks of the hub'),
  webhooksOfOne: limit(50, 'items', 'webhooks of one account'),
  webhookUrl: limit(2000, 'characters', 'the URL of a webhook'),
  webhookFilter: limit(100, 'items', 'the kinds, or the types, that a webhook asks for'),
  webhookDescription: limit(500, 'characters', 'the description of a webhook'),
  webhookDeliveries: limit(20, 'items', 'the last deliveries of a webhook that can be looked at'),
  webhookAnswer: limit(KB, 'bytes', 'what is kept of the answer to a delivery; the rest is not read'),
  webhooksAtOnce: limit(
    16,
    'calls',
    'deliveries of webhooks at once, one for each of them; an account has fewer than it leaves free'
  ),
  slowWebhooksAtOnce: limit(4, 'calls', 'of these, to receivers that are slow'),
  slowDelivery: limit(
    2000,
    'ms',
    'an attempt to deliver that takes longer is slow; after three in a row so is the webhook'
  ),
  webhookTurn: limit(2000, 'ms', 'how long a webhook goes on to its next change before others have their turn'),
  comment: limit(64 * KB, 'characters', 'the text of a comment'),
  mentions: limit(50, 'items', 'the accounts that one comment mentions; further ones are not told'),
  mentionsLooked: limit(200, 'items', 'the @ signs of one comment behind which a name is looked for'),
  threadSubscriptions: limit(
    2000,
    'items',
    'the threads that an account has subscribed to, or unsubscribed from, last'
  ),
  threadComments: limit(
    5000,
    'items',
    'the comments, newest first, by which it is told who takes part in a discussion'
  ),
  noticed: limit(5000, 'items', 'the last changes of each kind that notices tell of'),
  noticePage: limit(100, 'items', 'the notices of one page'),
  noticesRead: limit(1000, 'items', 'the notices that an account reads one by one; older ones then count as read'),
  ciphertext: limit(
    256 * KB,
    'characters',
    'what devices have encrypted for each other: one comment, commit or welcome'
  ),
  groupId: limit(100, 'characters', 'the id of the group of devices that discusses something'),
  epoch: limit(2 ** 31 - 1, 'places', 'the epoch of such a group'),
  epochStep: limit(10, 'places', 'how far one commit takes such a group'),
  deviceLabel: limit(128, 'characters', 'what a device is called'),
  deviceKey: limit(64 * KB, 'characters', 'the public key of a device'),
  devicesOfOne: limit(50, 'items', 'devices of one account; of those that are revoked the oldest make room'),
  commitPage: limit(100, 'items', 'the commits of one page of a group'),
  welcomesOfDevice: limit(50, 'items', 'welcomes to one group that wait for one device'),
  welcomesOfSender: limit(5, 'items', 'of these, those of one sender'),
  commentPage: limit(100, 'items', 'the comments of one page of a discussion'),
  tenants: limit(10_000, 'items', 'tenants of one hub'),
  tenantId: limit(64, 'characters', 'the id of a tenant'),
  tenantsOpen: limit(1000, 'items', 'tenants that one process has open at once; `multitenancy.maxOpen` sets it'),
  tenantsAsked: limit(
    8,
    'items',
    'tenants that one process asks at once whether they know a token, before it opens them'
  ),
  tenantsAskedKept: limit(
    256,
    'items',
    'databases that stay open for that, until nobody has asked them for ten seconds'
  ),
  tenantsAsking: limit(256, 'items', 'requests that wait for that'),
  stateText: limit(64 * KB, 'bytes', 'what one follower of the log keeps of where it stands'),
  statePage: limit(64, 'items', 'such states that are read at a time'),
  blob: limit(200 * KB, 'bytes', 'an image of an account, or of the hub'),
  imageSide: limit(4096, 'pixels', 'how wide, and how high, such an image may be'),
  imageUrl: limit(512 * KB, 'characters', 'such an image as it is sent: a data URL'),
  blobPage: limit(1000, 'items', 'the keys of such images that are read at a time'),

  facetEvents: limit(20_000, 'items', 'the events that the facets of a search of the log count: the newest ones'),
  facetValues: limit(50, 'items', 'the kinds, types and accounts that facets list, each the most frequent ones'),
  facetDays: limit(366, 'items', 'the days that facets list: the last ones'),
  activityTombstones: limit(
    50_000,
    'items',
    'the records that have left a collection last, among which what happened in it is looked for'
  ),
  ownDeletions: limit(
    10_000,
    'items',
    'the last deletions of an account among which those are looked for that it may undo'
  ),
  undoRecords: limit(1000, 'items', 'the records that one `POST /admin/undo` takes back, or leaves and names'),
  undoEvents: limit(50_000, 'items', 'the events of the token, the command or the request that it takes back'),
  changes: limit(10_000, 'items', 'the fields that a comparison of two versions lists'),
  entryChanges: limit(200, 'items', 'the fields, and the items of one list, that an audit entry lists'),
  entries: limit(32 * MB, 'bytes', 'the events that one page of audit entries is made from')
} as const satisfies Readonly<Record<string, Limit>>

/**
 * A text whose length is checked before anything else is done with it: what is too long is not looked at. The messages are for
 * what is no text at all, and for what is too long.
 */
export function boundedText({ max }: Limit, whenWrong?: string, whenLong = `Longer than ${max} characters`) {
  return z.string(whenWrong === undefined ? {} : { error: whenWrong }).max(max, { error: whenLong, abort: true })
}

/** What a schema does not show: of a list that `listOf` has made the schema of its entries, and what is free. */
interface Hidden {
  readonly entry?: z.ZodType
  readonly free?: 'object' | 'value'
}
const hidden = new WeakMap<z.core.$ZodType, Hidden>()

/** The same for those who walk a schema. One that is described is made of another one, and hides what that does. */
export function hiddenIn(schema: z.core.$ZodType): Hidden {
  const { parent } = schema._zod
  return hidden.get(schema) ?? (parent ? hiddenIn(parent) : {})
}

/**
 * A list whose length is checked before its entries are, and whose first wrong entry decides: a million wrong ones cost no
 * more than one.
 */
export function listOf<S extends z.ZodType>(
  entry: S,
  { max }: Limit = LIMITS.list,
  whenLong = `More than ${max} entries`
) {
  const list = z
    .array(z.unknown())
    .max(max, { error: whenLong, abort: true })
    .transform((values, context) => {
      const entries: z.output<S>[] = []
      for (const [i, value] of values.entries()) {
        const result = entry.safeParse(value)
        if (!result.success) {
          for (const issue of result.error.issues) context.addIssue({ ...issue, path: [i, ...issue.path] })
          return z.NEVER
        }
        entries.push(result.data)
      }
      return entries
    })
  hidden.set(list, { entry })
  return list
}

/** A JSON object of any shape, passed on by reference: how deep and how large it is was checked before it was parsed. */
export function freeObject(whenWrong: string) {
  const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
  const schema = z.custom<Readonly<Record<string, unknown>>>(isObject, whenWrong)
  hidden.set(schema, { free: 'object' })
  return schema
}

/** A JSON value of any shape: how deep and how large it is was checked before it was parsed. */
export function freeValue() {
  const schema = z.unknown()
  hidden.set(schema, { free: 'value' })
  return schema
}

/** The first of these that have no more bytes together than the limit; at least so many of them where there are any. */
export function fitting<T>(
  items: readonly T[],
  { max }: Pick<Limit, 'max'>,
  bytesOf: (item: T) => number,
  least: 0 | 1 = 1
): readonly T[] {
  let bytes = 0
  const end = items.findIndex((item, i) => {
    bytes += bytesOf(item)
    return i >= least && bytes > max
  })
  return end < 0 ? items : items.slice(0, end)
}

/**
 * Items in slices, in their order: of at most `countMax` items each, and of at most `sizeMax` together as `sizeOf` tells it, or
 * one item that is larger.
 */
export function* slices<T>(
  items: readonly T[],
  countMax: number,
  sizeMax = Number.POSITIVE_INFINITY,
  sizeOf: (item: T) => number = () => 0
): Generator<readonly T[]> {
  let slice: T[] = []
  let size = 0
  for (const item of items) {
    const itemSize = sizeOf(item)
    if (slice.length > 0 && (slice.length >= countMax || size + itemSize > sizeMax)) {
      yield slice
      slice = []
      size = 0
    }
    slice.push(item)
    size += itemSize
  }
  if (slice.length > 0) yield slice
}

function limit<const U extends Limit['unit']>(max: number, unit: U, what: string) {
  return { max, unit, what }
}
