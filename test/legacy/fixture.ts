import { createHash } from 'node:crypto'

/** Secrets that clients of the older hub still hold. */
export const secrets = {
  ann: 'hbk_ann-secret',
  orphan: 'hbk_orphan-secret',
  system: 'hbk_system-secret',
  revoked: 'hbk_revoked-secret'
}

/** The hash under which a secret is stored, as hexadecimal digits. */
export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const json = (value: unknown) => JSON.stringify(value)

/** How a database writes the types of the older hub's tables. */
export interface Types {
  readonly time: string
  readonly flag: string
  readonly text: string
  readonly yes: string
  readonly no: string
}

const AUTH = json({ type: 'none', basic: { username: '', password: '' }, bearer: { token: '' } })
const THEN = '2024-03-05 10:20:30'
export const THEN_ISO = '2024-03-05T10:20:30.000Z'

type Cell = string | number | boolean | null

interface Table {
  readonly columns: string
  readonly rows: readonly Readonly<Record<string, Cell>>[]
}

const made = { created_at: THEN, updated_at: THEN, created_by_user_id: 'u-ann', updated_by_user_id: 'u-ann' }
const scripts = { pre_request_script: 'pre()', post_request_script: '' }

/**
 * A small older hub: an administrator, a user, an ownerless token and a revoked one, nested folders with duplicate orders, a
 * collection whose creator is gone, a request in a collection that is gone, a rollup that its log does not explain, and a
 * table that has no home here. An early version: several late columns are missing.
 */
function tables({ time, flag, text }: Types): Readonly<Record<string, Table>> {
  const by = `created_at ${time}, updated_at ${time}, created_by_user_id VARCHAR(36), updated_by_user_id VARCHAR(36)`
  const user = { collection_access: '[]', environment_access: '[]', snippet_access: '[]', ...made, llm_access: false }
  const request = { collection_id: 'c-1', headers: '[]', params: '[]', auth: AUTH, body: '{"a":1}', body_type: 'json' }
  const get = { ...request, method: 'GET', url: 'https://api.example.com', ...scripts, comment: 'hi', ...made }
  return {
    users: {
      columns: `id VARCHAR(36), name VARCHAR(255), role VARCHAR(10), collection_access ${text}, environment_access ${text},
        snippet_access ${text}, ${by}, llm_access ${flag}, llm_models ${text}, llm_monthly_token_limit INT`,
      rows: [
        { id: 'u-sys', name: 'system', role: 'admin', ...user },
        { id: 'u-ops', name: 'ops', role: 'admin', ...user },
        {
          id: 'u-ann',
          name: 'ann',
          role: 'user',
          ...user,
          collection_access: '["c-1","c-2"]',
          llm_access: true,
          llm_models: '["*"]',
          llm_monthly_token_limit: 1000
        }
      ]
    },
    api_tokens: {
      columns: `id VARCHAR(36), user_id VARCHAR(36), name VARCHAR(255), token_hash CHAR(64), token_prefix VARCHAR(20),
        created_at ${time}, last_used_at ${time}, revoked_at ${time}`,
      rows: [
        {
          id: 't-ann',
          user_id: 'u-ann',
          name: 'laptop',
          token_hash: sha256(secrets.ann),
          token_prefix: 'hbk_ann',
          created_at: THEN
        },
        {
          id: 't-orphan',
          user_id: null,
          name: 'old',
          token_hash: sha256(secrets.orphan),
          token_prefix: 'hbk_orp',
          created_at: THEN
        },
        {
          id: 't-sys',
          user_id: 'u-sys',
          name: 'deploy',
          token_hash: sha256(secrets.system),
          token_prefix: 'hbk_sys',
          created_at: THEN
        },
        {
          id: 't-rev',
          user_id: 'u-ann',
          name: 'lost',
          token_hash: sha256(secrets.revoked),
          token_prefix: 'hbk_rev',
          created_at: THEN,
          revoked_at: THEN
        },
        {
          id: 't-gone',
          user_id: 'u-gone',
          name: 'gone',
          token_hash: sha256('hbk_gone'),
          token_prefix: 'hbk_gon',
          created_at: THEN
        }
      ]
    },
    collections: {
      columns: `id VARCHAR(36), name VARCHAR(255), variables ${text}, headers ${text}, auth ${text}, pre_request_script ${text},
        post_request_script ${text}, ${by}, deletion_locked ${flag}, marker VARCHAR(40)`,
      rows: [
        {
          id: 'c-1',
          name: 'Payments',
          variables: json([{ key: 'a', value: '1', defaultValue: '', share: true }]),
          headers: '[]',
          auth: AUTH,
          ...scripts,
          ...made,
          deletion_locked: true,
          marker: '#f00'
        },
        {
          id: 'c-2',
          name: 'Orphaned',
          variables: '[]',
          headers: '[]',
          auth: AUTH,
          ...scripts,
          ...made,
          created_by_user_id: 'u-gone',
          deletion_locked: false
        }
      ]
    },
    folders: {
      columns: `id VARCHAR(36), collection_id VARCHAR(36), parent_folder_id VARCHAR(36), name VARCHAR(255), sort_order INT, ${by}`,
      rows: [
        { id: 'f-b', collection_id: 'c-1', parent_folder_id: null, name: 'B', sort_order: 0, ...made },
        { id: 'f-a', collection_id: 'c-1', parent_folder_id: null, name: 'A', sort_order: 0, ...made },
        { id: 'f-in', collection_id: 'c-1', parent_folder_id: 'f-a', name: 'Inner', sort_order: 3, ...made },
        { id: 'f-x', collection_id: 'c-1', parent_folder_id: 'f-y', name: 'X', sort_order: 4, ...made },
        { id: 'f-y', collection_id: 'c-1', parent_folder_id: 'f-x', name: 'Y', sort_order: 4, ...made }
      ]
    },
    requests: {
      columns: `id VARCHAR(36), collection_id VARCHAR(36), folder_id VARCHAR(36), name VARCHAR(255), method VARCHAR(10), url ${text},
        headers ${text}, params ${text}, auth ${text}, body ${text}, body_type VARCHAR(20), pre_request_script ${text},
        post_request_script ${text}, comment ${text}, sort_order INT, ${by}`,
      rows: [
        { id: 'r-2', name: 'Second', folder_id: null, sort_order: 1, ...get },
        { id: 'r-1', name: 'First', folder_id: null, sort_order: 0, ...get },
        { id: 'r-in', name: 'Inside', folder_id: 'f-in', sort_order: 0, ...get },
        { id: 'r-lost', name: 'Lost', folder_id: null, sort_order: 0, ...get, collection_id: 'c-gone' }
      ]
    },
    documents: {
      columns: `id VARCHAR(36), collection_id VARCHAR(36), folder_id VARCHAR(36), name VARCHAR(255), content ${text}, sort_order INT, ${by}`,
      rows: [
        { id: 'd-1', collection_id: 'c-1', folder_id: null, name: 'readme.md', content: '# Hi', sort_order: 0, ...made }
      ]
    },
    llm_usage: {
      columns: `id VARCHAR(36), user_id VARCHAR(36), period CHAR(7), prompt_tokens INT, completion_tokens INT, total_tokens INT, updated_at ${time}`,
      rows: [
        {
          id: 'l-1',
          user_id: 'u-ann',
          period: '2024-03',
          prompt_tokens: 70,
          completion_tokens: 30,
          total_tokens: 100,
          updated_at: THEN
        }
      ]
    },
    llm_usage_log: {
      columns: `id VARCHAR(36), user_id VARCHAR(36), api_token_id VARCHAR(36), period CHAR(7), model VARCHAR(80), provider VARCHAR(20),
        prompt_tokens INT, completion_tokens INT, total_tokens INT, is_new_turn ${flag}, had_tool_calls ${flag}, message_count INT, created_at ${time}`,
      rows: [
        {
          id: 'g-1',
          user_id: 'u-ann',
          api_token_id: 't-ann',
          period: '2024-03',
          model: 'gpt-4o',
          provider: 'openai',
          prompt_tokens: 50,
          completion_tokens: 20,
          total_tokens: 70,
          is_new_turn: true,
          had_tool_calls: false,
          message_count: 2,
          created_at: THEN
        }
      ]
    },
    sessions: { columns: 'id VARCHAR(36), name VARCHAR(255)', rows: [{ id: 's-1', name: 'local' }] }
  }
}

/** The fixture as documents by collection: names in camelCase, times as dates, lists and objects as they are. */
export function documents(): Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> {
  const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const value = (name: string, cell: Cell) => {
    if (cell === THEN) return new Date(THEN_ISO)
    // The body of a request is text, whatever it looks like.
    const isJson = typeof cell === 'string' && name !== 'body' && /^[[{]/.test(cell)
    return isJson ? JSON.parse(cell) : cell
  }
  const document = (row: Readonly<Record<string, Cell>>) =>
    Object.fromEntries(Object.entries(row).map(([name, cell]) => [camel(name), value(name, cell)]))
  const none = { time: '', flag: '', text: '', yes: '', no: '' }
  return Object.fromEntries(Object.entries(tables(none)).map(([name, { rows }]) => [camel(name), rows.map(document)]))
}

/** The statements that lay the fixture down. */
export function statements(types: Types): readonly string[] {
  const literal = (cell: Cell) =>
    cell === null
      ? 'NULL'
      : typeof cell === 'boolean'
        ? cell
          ? types.yes
          : types.no
        : typeof cell === 'number'
          ? String(cell)
          : `'${cell.replaceAll("'", "''")}'`
  return Object.entries(tables(types)).flatMap(([name, { columns, rows }]) => [
    `CREATE TABLE ${name} (${columns})`,
    ...rows.map(
      (row) =>
        `INSERT INTO ${name} (${Object.keys(row).join(', ')}) VALUES (${Object.values(row).map(literal).join(', ')})`
    )
  ])
}
