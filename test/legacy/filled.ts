import { newerTables } from './filledNewer.js'
import { type Filled, LATER, OLD, SAVED, uuid } from './filledParts.js'
import { sha256, type Types } from './fixture.js'

/** The releases whose databases are filled here: every table and every column of both. */
export type Release = '0.5.4' | '0.9.4'

export const SECRETS = { ops: 'hbk_filled-ops', ann: 'hbk_filled-ann', bob: 'hbk_filled-bob' }
const by = (creator: string, updater = creator) => ({
  createdByUserId: uuid(creator),
  updatedByUserId: uuid(updater)
})
const made = { createdAt: OLD, updatedAt: LATER, ...by('ann', 'bob') }
const attributed = 'createdAt:time updatedAt:time createdByUserId:id updatedByUserId:id'
const auth = { type: 'basic', basic: { username: 'u', password: 'p' }, bearer: { token: '' } }
const pair = { key: 'X-A', value: 'b', enabled: true }
const variable = { key: 'host', value: 'a', defaultValue: 'b', share: true, enabled: false }
const scripts = { preRequestScript: 'pre()', postRequestScript: 'post()' }

const noAccess = { collectionAccess: [], environmentAccess: [], snippetAccess: [] }
const noModels = { llmAccess: false, llmModels: [], llmMonthlyTokenLimit: null }
const users = [
  { id: uuid('system'), name: 'system', role: 'admin', ...noAccess, ...noModels, ...made },
  { id: uuid('ops'), name: 'ops', role: 'admin', ...noAccess, ...noModels, ...made },
  {
    id: uuid('ann'),
    name: 'Ann Ö',
    role: 'user',
    collectionAccess: [uuid('c1'), uuid('c2')],
    environmentAccess: [uuid('e1')],
    snippetAccess: [uuid('s1')],
    ...made,
    llmAccess: true,
    llmModels: ['gpt-4o'],
    llmMonthlyTokenLimit: 1000
  },
  {
    id: uuid('bob'),
    name: 'bob',
    role: 'user',
    collectionAccess: ['*'],
    environmentAccess: ['*'],
    snippetAccess: ['*'],
    ...made,
    ...by('gone'),
    llmAccess: true,
    llmModels: ['*'],
    llmMonthlyTokenLimit: null
  }
]

const token = (who: keyof typeof SECRETS, more: object = {}) => ({
  id: uuid(`token ${who}`),
  userId: uuid(who),
  name: `of ${who}`,
  tokenHash: sha256(SECRETS[who]),
  tokenPrefix: `hbk_${who}`,
  createdAt: OLD,
  lastUsedAt: LATER,
  revokedAt: null,
  ...by('ops'),
  ...more
})

const usageLog = (id: string, tokens: number) => ({
  id: uuid(id),
  userId: uuid('ann'),
  apiTokenId: uuid('token ann'),
  period: '2024-03',
  model: 'gpt-4o',
  provider: 'openai',
  promptTokens: tokens,
  completionTokens: 5,
  totalTokens: tokens + 5,
  isNewTurn: true,
  hadToolCalls: true,
  messageCount: 3,
  createdAt: OLD
})

/** What both releases have. */
const TABLES: Readonly<Record<string, Filled>> = {
  users: {
    columns: `id:id name:name role:name collectionAccess:json environmentAccess:json snippetAccess:json ${attributed} llmAccess:flag llmModels:json llmMonthlyTokenLimit:int`,
    rows: users
  },
  api_tokens: {
    columns:
      'id:id userId:id name:name tokenHash:hash tokenPrefix:name createdAt:time lastUsedAt:time revokedAt:time createdByUserId:id updatedByUserId:id',
    rows: [
      token('ops'),
      token('ann'),
      token('bob', { lastUsedAt: null }),
      token('ann', { id: uuid('revoked'), tokenHash: sha256('hbk_old'), name: 'old', revokedAt: LATER })
    ]
  },
  user_invitations: {
    columns:
      'id:id userId:id codeHash:hash codePrefix:name expiresAt:time redeemedAt:time revokedAt:time createdAt:time createdByUserId:id updatedByUserId:id',
    rows: [
      {
        id: uuid('i1'),
        userId: uuid('bob'),
        codeHash: sha256('hbi_code'),
        codePrefix: 'hbi_code',
        expiresAt: LATER,
        redeemedAt: OLD,
        revokedAt: LATER,
        createdAt: OLD,
        ...by('ops')
      }
    ]
  },
  collections: {
    columns: `id:id name:name variables:json headers:json auth:json preRequestScript:text postRequestScript:text ${attributed} deletionLocked:flag marker:name`,
    rows: [
      { id: uuid('c1'), name: 'Payments', variables: [variable], headers: [pair], auth, ...scripts, ...made },
      { id: uuid('c2'), name: 'Empty', variables: [], headers: [], auth, ...scripts, ...made, ...by('gone') }
    ].map((one, i) => ({ ...one, deletionLocked: i === 0, marker: '#ff0000' }))
  },
  environments: {
    columns: `id:id name:name variables:json ${attributed} parentUuid:id deletionLocked:flag marker:name`,
    rows: [
      { id: uuid('e1'), name: 'Base', variables: [variable], parentUuid: null, ...made },
      { id: uuid('e2'), name: 'Stage', variables: [], parentUuid: uuid('e1'), ...made }
    ].map((one, i) => ({ ...one, deletionLocked: i === 0, marker: '#00ff00' }))
  },
  snippets: {
    columns: `id:id name:name code:text scope:name sortOrder:int ${attributed} deletionLocked:flag`,
    rows: [
      { id: uuid('s1'), name: 'sum', code: 'a+b', scope: 'pre-request', sortOrder: 4, ...made, deletionLocked: true }
    ]
  },
  folders: {
    columns: `id:id collectionId:id parentFolderId:id name:name sortOrder:int ${attributed} marker:name`,
    rows: [
      { id: uuid('f1'), collectionId: uuid('c1'), parentFolderId: null, name: 'Outer', sortOrder: 0, ...made },
      { id: uuid('f2'), collectionId: uuid('c1'), parentFolderId: uuid('f1'), name: 'Inner', sortOrder: 0, ...made }
    ].map((one) => ({ ...one, marker: '#0000ff' }))
  },
  requests: {
    columns: `id:id collectionId:id folderId:id name:name method:name url:text headers:json params:json auth:json body:text bodyType:name preRequestScript:text postRequestScript:text comment:text sortOrder:int ${attributed} marker:name`,
    rows: [
      { id: uuid('r1'), folderId: null, name: 'List', method: 'GET', sortOrder: 1, ...made, updatedAt: SAVED },
      { id: uuid('r2'), folderId: uuid('f2'), name: 'Pay', method: 'POST', sortOrder: 0, ...made, ...by('gone') }
    ].map((one) => ({
      collectionId: uuid('c1'),
      url: 'https://api.example.com/{{host}}',
      headers: [pair],
      params: [pair],
      auth,
      body: '{"a":1}',
      bodyType: 'json',
      ...scripts,
      comment: 'hi',
      marker: '#123456',
      ...one
    }))
  },
  documents: {
    columns: `id:id collectionId:id folderId:id name:name content:text sortOrder:int ${attributed} marker:name`,
    rows: [
      {
        id: uuid('d1'),
        collectionId: uuid('c1'),
        folderId: null,
        name: 'readme.md',
        content: '# Hi',
        sortOrder: 2,
        ...made,
        marker: '#654321'
      }
    ]
  },
  run_results: {
    columns:
      'id:id kind:name label:name collectionName:name requestName:name summaryPassed:int summaryFailed:int summarySkipped:int payload:json createdAt:time createdByUserId:id',
    rows: [
      {
        id: uuid('x1'),
        kind: 'request-run-results',
        label: 'Nightly',
        collectionName: 'Payments',
        requestName: 'List',
        summaryPassed: 1,
        summaryFailed: 2,
        summarySkipped: 3,
        payload: { harborclientExport: 'request-run-results', results: [{ status: 'failed' }] },
        createdAt: SAVED,
        createdByUserId: uuid('bob')
      }
    ]
  },
  llm_usage: {
    columns: 'id:id userId:id period:name promptTokens:int completionTokens:int totalTokens:int updatedAt:time',
    rows: [
      {
        id: uuid('l1'),
        userId: uuid('ann'),
        period: '2024-03',
        promptTokens: 70,
        completionTokens: 30,
        totalTokens: 100,
        updatedAt: LATER
      }
    ]
  },
  llm_usage_log: {
    columns:
      'id:id userId:id apiTokenId:id period:name model:name provider:name promptTokens:int completionTokens:int totalTokens:int isNewTurn:flag hadToolCalls:flag messageCount:int createdAt:time',
    rows: [usageLog('g1', 50), usageLog('g2', 20)]
  },
  audit_log: {
    columns: 'id:id userId:id userName:name action:name entityType:name entityId:id createdAt:time metadata:json',
    rows: [
      {
        id: uuid('a1'),
        userId: uuid('ops'),
        userName: 'ops',
        action: 'create',
        entityType: 'user',
        entityId: uuid('ann'),
        createdAt: OLD,
        metadata: { a: [1] }
      }
    ]
  }
}

/** The whole database of a release. */
export function filled(release: Release): Readonly<Record<string, Filled>> {
  return release === '0.5.4' ? TABLES : newerTables(TABLES)
}

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const columnsOf = ({ columns }: Filled) =>
  columns.split(' ').map((column): readonly [string, string] => {
    const [name = '', type = ''] = column.split(':')
    return [name, type]
  })

/** The statements that fill a database of a release, and what goes into each. */
export function filling(
  release: Release,
  types: Types & { readonly bytes: string },
  placeholder: (i: number) => string
) {
  const kinds: Readonly<Record<string, string>> = {
    id: 'VARCHAR(64)',
    name: 'VARCHAR(255)',
    hash: 'CHAR(64)',
    int: 'INT',
    json: types.text,
    text: types.text,
    time: types.time,
    flag: types.flag,
    bytes: types.bytes
  }
  return Object.entries(filled(release)).flatMap(([table, all]) => {
    const columns = columnsOf(all)
    const names = columns.map(([name]) => snake(name))
    const create = names.map((name, i) => `${name} ${kinds[columns[i]?.[1] ?? '']}`).join(', ')
    const into = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((_, i) => placeholder(i + 1)).join(', ')})`
    return [
      { text: `CREATE TABLE ${table} (${create})`, values: [] },
      ...all.rows.map((row) => ({ text: into, values: columns.map(([name, type]) => cell(row[name], type)) }))
    ]
  })
}

function cell(value: unknown, type: string): unknown {
  if (value === undefined || value === null) return null
  if (type === 'json') return JSON.stringify(value)
  return type === 'time' && typeof value === 'string' ? value.slice(0, 19).replace('T', ' ') : value
}

/** The same as documents by collection: times as dates, everything else as it is. */
export function filledDocuments(
  release: Release
): Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> {
  const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return Object.fromEntries(
    Object.entries(filled(release)).map(([table, all]) => {
      const dates = new Set(columnsOf(all).flatMap(([name, type]) => (type === 'time' ? [name] : [])))
      const value = (name: string, one: unknown) => (dates.has(name) && typeof one === 'string' ? new Date(one) : one)
      const document = (row: Readonly<Record<string, unknown>>) =>
        Object.fromEntries(Object.entries(row).map(([name, one]) => [name, value(name, one)]))
      return [camel(table), all.rows.map(document)]
    })
  )
}
