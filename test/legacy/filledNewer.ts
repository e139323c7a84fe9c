import { daysAgo, type Filled, LATER, OLD, uuid } from './filledParts.js'
import { sha256 } from './fixture.js'

/** One white pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64'
)
const made = { createdAt: OLD, updatedAt: LATER, createdByUserId: uuid('ann'), updatedByUserId: uuid('bob') }
const attributed = 'createdAt:time updatedAt:time createdByUserId:id updatedByUserId:id'
const avatarTypes =
  'avatarInitials:name avatarColor:name avatarImage:bytes avatarImageMime:name avatarImageUpdatedAt:time avatarImageKey:name'
const image = { avatarImage: PIXEL, avatarImageMime: 'image/png', avatarImageUpdatedAt: LATER, avatarImageKey: null }

/** What accounts have beyond those of the older release, by the name of each. */
const ACCOUNTS: Readonly<Record<string, object>> = {
  system: { liveServerAccess: [], livePageAccess: [] },
  ops: { liveServerAccess: [], livePageAccess: [], avatarInitials: 'OP', avatarColor: 'teal-600' },
  ann: {
    liveServerAccess: [uuid('ls1')],
    livePageAccess: [uuid('lp1')],
    avatarInitials: 'AÖ',
    avatarColor: 'rose-600',
    ...image
  },
  bob: {
    liveServerAccess: ['*'],
    livePageAccess: ['*'],
    avatarInitials: 'BO',
    avatarColor: 'sky-600',
    avatarImageMime: 'image/png',
    avatarImageUpdatedAt: LATER,
    avatarImageKey: 'avatars/tenants/__default__/users/bob/avatar.png'
  }
}

export const LIVE_SERVER = {
  root: '/srv/docs',
  host: '0.0.0.0',
  port: 4100,
  aliases: [{ path: '/a', target: '/b' }],
  watch: false,
  cors: {
    enabled: true,
    origin: 'https://a.example',
    methods: 'GET',
    allowedHeaders: 'X-A',
    exposedHeaders: 'X-B',
    maxAge: '60',
    credentials: true
  },
  openPath: '/start',
  openPathOnStartup: false,
  rememberLastUrl: true,
  lastOpenedPath: '/last',
  indexFiles: ['start.html'],
  headers: [{ name: 'X-A', value: 'b', enabled: false }],
  routes: [{ match: '/x', target: '/y', enabled: true }],
  errorPages: [{ code: 404, path: '/404.html', enabled: true }],
  proxies: [{ path: '/api', target: 'http://127.0.0.1:1', stripPath: true, enabled: true }],
  ssl: { enabled: true, certPath: '/c', keyPath: '/k' },
  runCommand: 'npm start',
  runtimeId: 'node',
  runCommandEnv: [{ key: 'A', value: 'b', enabled: true }],
  runCommandEnabled: true,
  restartOnCrash: true,
  urlVariable: 'base',
  preRequestScripts: [{ id: 'p' }],
  postRequestScripts: [{ id: 'q' }],
  sortOrder: 2
}
const LIVE_PAGE = {
  url: 'https://shop.example',
  homeUrl: 'https://home.example',
  faviconDataUrl: 'data:image/png;base64,AAAA',
  scripts: [{ id: 's', name: 'x', enabled: true, runAt: 'dom-ready', source: 'y()' }],
  preRequestScripts: [{ id: 'p' }],
  postRequestScripts: [{ id: 'q' }],
  variables: [{ key: 'v', value: '1' }],
  headers: [{ key: 'h', value: 'i', enabled: true }],
  userAgent: 'Shop/1',
  auth: { type: 'oauth2', token: 't' }
}

export const GROUP = `thread:request:${uuid('r1')}`
export const ENCRYPTED = {
  mlsGroupId: GROUP,
  epoch: 3,
  senderDeviceId: uuid('device of ann'),
  keyFormat: 'mls-v1',
  commitRef: uuid('k1'),
  welcomeRef: uuid('w1')
}

const comment = (id: string, author: string, days: number, more: object = {}) => ({
  id: uuid(id),
  targetEntityType: 'request',
  targetEntityId: uuid('r1'),
  parentCommentId: null,
  rootCommentId: uuid(id),
  depth: 1,
  body: `What ${id} says`,
  bodyFormat: 'plaintext',
  bodyMetadata: null,
  authorUserId: uuid(author),
  createdAt: daysAgo(days),
  updatedAt: daysAgo(days - 1),
  tombstonedAt: null,
  tombstonedByUserId: null,
  ...more
})
const answering = (parent: string, depth: number) => ({
  parentCommentId: uuid(parent),
  rootCommentId: uuid('m1'),
  depth
})

const COMMENTS = [
  comment('m1', 'ann', 90),
  comment('m2', 'bob', 8, answering('m1', 2)),
  comment('m3', 'gone', 7, answering('m2', 3)),
  comment('m4', 'bob', 6, {
    ...answering('m1', 2),
    body: '',
    tombstonedAt: daysAgo(5),
    updatedAt: daysAgo(5),
    tombstonedByUserId: uuid('ops')
  }),
  comment('m5', 'ann', 5, { bodyFormat: 'encrypted', body: 'eyJ0Ijoi', bodyMetadata: ENCRYPTED }),
  comment('m6', 'bob', 4, { targetEntityType: 'runResult', targetEntityId: uuid('x1'), body: 'Look @Ann Ö' }),
  comment('m7', 'bob', 80, { targetEntityType: 'collection', targetEntityId: uuid('c1') }),
  comment('m8', 'ops', 80, { targetEntityType: 'folder', targetEntityId: uuid('f1') }),
  comment('m9', 'bob', 2, { targetEntityId: uuid('deleted request') })
]

const notice = (id: string, eventType: string, entity: readonly [string, string], days: number, more: object = {}) => ({
  id: uuid(id),
  recipientUserId: uuid('ann'),
  eventType,
  entityType: entity[0],
  entityId: uuid(entity[1]),
  requestId: entity[0] === 'request' ? uuid(entity[1]) : null,
  collectionId: uuid('c1'),
  folderId: null,
  runResultId: entity[0] === 'runResult' ? uuid(entity[1]) : null,
  discussionThreadId: null,
  discussionCommentId: null,
  actorUserId: uuid('bob'),
  createdAt: daysAgo(days),
  readAt: null,
  displayMetadata: { actorName: 'bob', targetLabel: 'List' },
  ...more
})
const of = (id: string, rootId: string) => ({ discussionThreadId: uuid(rootId), discussionCommentId: uuid(id) })
const READ = daysAgo(1)

const NOTICES = [
  notice('n1', 'discussion.mention', ['runResult', 'x1'], 4, of('m6', 'm6')),
  notice('n2', 'discussion.reply', ['request', 'r1'], 8, { ...of('m2', 'm1'), readAt: READ }),
  notice('n3', 'request.updated', ['request', 'r1'], 9),
  notice('n4', 'request.updated', ['request', 'r1'], 3, { readAt: READ }),
  notice('n5', 'runResult.failed', ['runResult', 'x1'], 3),
  notice('n6', 'discussion.mention', ['collection', 'c1'], 80, of('m7', 'm7')),
  notice('n7', 'request.updated', ['request', 'deleted request'], 2),
  notice('n8', 'request.updated', ['request', 'r1'], 3, { recipientUserId: uuid('ops') }),
  notice('n9', 'request.updated', ['request', 'r2'], 3, { recipientUserId: uuid('gone') })
]

const device = (id: string, owner: string, more: object = {}) => ({
  id: uuid(id),
  userId: uuid(owner),
  deviceId: uuid(`device of ${owner}`),
  label: `Laptop of ${owner}`,
  keyFormat: 'identity-v1',
  publicKeyMaterial: 'MCowBQYDK2Vw',
  fingerprint: sha256('MCowBQYDK2Vw'),
  createdAt: OLD,
  lastSeenAt: OLD,
  revokedAt: null,
  createdByUserId: uuid(owner),
  updatedByUserId: uuid(owner),
  ...more
})
const sent = { mlsGroupId: GROUP, ciphertext: 'eyJ0Ijoi', createdAt: LATER, createdByUserId: uuid('ann') }

const NEW: Readonly<Record<string, Filled>> = {
  tenants: {
    columns: `id:id name:name ${attributed} ${avatarTypes}`,
    rows: [
      { id: '__default__', name: 'Our team', ...made, avatarInitials: 'HU', avatarColor: 'amber-600', ...image },
      { id: 'acme', name: 'Acme Inc', ...made, avatarInitials: 'AI' }
    ]
  },
  live_servers: {
    columns: `id:id name:name payload:json ${attributed} deletionLocked:flag`,
    rows: [
      { id: uuid('ls1'), name: 'Docs site', payload: LIVE_SERVER, ...made, deletionLocked: true },
      { id: uuid('ls2'), name: 'Half', payload: { root: '/half', port: 'no port' }, ...made, deletionLocked: false }
    ]
  },
  live_pages: {
    columns: `id:id name:name payload:json ${attributed} deletionLocked:flag`,
    rows: [{ id: uuid('lp1'), name: 'Shop', payload: LIVE_PAGE, ...made, deletionLocked: true }]
  },
  notices: {
    columns:
      'id:id recipientUserId:id eventType:name entityType:name entityId:id requestId:id collectionId:id folderId:id runResultId:id discussionThreadId:id discussionCommentId:id actorUserId:id createdAt:time readAt:time displayMetadata:json',
    rows: NOTICES
  },
  user_notification_settings: {
    columns: 'userId:id level:name updatedAt:time',
    rows: [{ userId: uuid('bob'), level: 'mentions', updatedAt: LATER }]
  },
  discussion_comments: {
    columns:
      'id:id targetEntityType:name targetEntityId:id parentCommentId:id rootCommentId:id depth:int body:text bodyFormat:name bodyMetadata:json authorUserId:id createdAt:time updatedAt:time tombstonedAt:time tombstonedByUserId:id',
    rows: COMMENTS
  },
  discussion_thread_subscriptions: {
    columns: 'userId:id rootCommentId:id createdAt:time',
    rows: [
      { userId: uuid('ann'), rootCommentId: uuid('m1'), createdAt: OLD },
      { userId: uuid('ann'), rootCommentId: uuid('m7'), createdAt: LATER },
      { userId: uuid('bob'), rootCommentId: uuid('m1'), createdAt: LATER }
    ]
  },
  device_keys: {
    columns:
      'id:id userId:id deviceId:id label:name keyFormat:name publicKeyMaterial:text fingerprint:hash createdAt:time lastSeenAt:time revokedAt:time createdByUserId:id updatedByUserId:id',
    rows: [
      device('v1', 'ann'),
      device('v2', 'bob', { keyFormat: 'mls-key-package', revokedAt: LATER, lastSeenAt: LATER })
    ]
  },
  discussion_mls_group_state: {
    columns: `mlsGroupId:name targetEntityType:name targetEntityId:id currentEpoch:int ${attributed}`,
    rows: [{ mlsGroupId: GROUP, targetEntityType: 'request', targetEntityId: uuid('r1'), currentEpoch: 3, ...made }]
  },
  discussion_mls_commits: {
    columns: 'id:id mlsGroupId:name epoch:int ciphertext:text senderDeviceId:id createdAt:time createdByUserId:id',
    rows: [0, 3].map((epoch) => ({ id: uuid(`k${epoch}`), epoch, senderDeviceId: uuid('device of ann'), ...sent }))
  },
  discussion_mls_welcomes: {
    columns:
      'id:id mlsGroupId:name recipientDeviceId:id ciphertext:text ratchetTree:text createdAt:time createdByUserId:id',
    rows: [
      { id: uuid('w1'), recipientDeviceId: uuid('device of ann'), ratchetTree: 'VFJF', ...sent },
      { id: uuid('w2'), recipientDeviceId: uuid('device of nobody'), ratchetTree: 'VFJF', ...sent }
    ]
  },
  plugin_settings: { columns: 'id:id value:text', rows: [{ id: uuid('p1'), value: 'a' }] }
}

/** What the newer release adds to the tables of the older one: columns of accounts and requests, tenants, tables. */
export function newerTables(older: Readonly<Record<string, Filled>>): Readonly<Record<string, Filled>> {
  const accounts = new Map(Object.entries(ACCOUNTS).map(([name, more]) => [uuid(name), more]))
  const widened = Object.entries({ ...older, ...NEW }).map(([table, { columns, rows }]): [string, Filled] => {
    if (table === 'tenants' || table === 'plugin_settings') return [table, { columns, rows }]
    const more =
      table === 'users'
        ? ` liveServerAccess:json livePageAccess:json ${avatarTypes}`
        : table === 'requests'
          ? ' protocol:name'
          : ''
    const own = rows.map((row) => ({
      ...row,
      ...(table === 'users' && accounts.get(String(row.id))),
      ...(table === 'requests' && { protocol: 'sse' }),
      tenantId: '__default__'
    }))
    const [first] = rows
    const id = table === 'user_notification_settings' ? { userId: uuid('else') } : { id: uuid(`${table} else`) }
    const other = {
      ...first,
      ...id,
      tenantId: 'acme',
      ...(table === 'discussion_mls_group_state' && { mlsGroupId: 'x' })
    }
    return [table, { columns: `${columns}${more} tenantId:name`, rows: [...own, other] }]
  })
  return Object.fromEntries(widened)
}
