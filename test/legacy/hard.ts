import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { newHome } from '../cli/support.js'
import { freePort } from '../support/private-server.js'
import { caller } from '../whole/client.js'
import { secrets, sha256, statements, type Types } from './fixture.js'
import { reported, session } from './reports.js'

const THEN = '2024-03-05 10:20:30'
const LATER = '2024-03-06 10:20:30'
const OTHERS = { second: 'hbk_second-orphan', boot: 'hbk_boot', person: 'hbk_person' }
/** More than go into one commit, so that a takeover which fails at the end has left something. */
const MANY = 150

const status = z.object({ takeover: z.string() })
const users = z.object({ users: z.array(z.object({ id: z.string(), name: z.string() })) })

/** The fixture and what makes it hard: names that are taken, secrets that occur twice, and a table that cannot be read. */
export function hardStatements(types: Types): readonly string[] {
  const user = (id: string, name: string, at = THEN, role = 'user') =>
    `INSERT INTO users (id, name, role, collection_access, environment_access, snippet_access, created_at, updated_at)
     VALUES ('${id}', '${name}', '${role}', '[]', '[]', '[]', '${at}', '${at}')`
  const token = (id: string, userId: string | null, secret: string) =>
    `INSERT INTO api_tokens (id, user_id, name, token_hash, token_prefix, created_at)
     VALUES ('${id}', ${userId === null ? 'NULL' : `'${userId}'`}, 'token', '${sha256(secret)}', 'hbk_', '${THEN}')`
  const step = (i: number) =>
    `INSERT INTO llm_usage_log (id, user_id, period, model, provider, prompt_tokens, completion_tokens, total_tokens,
       is_new_turn, had_tool_calls, message_count, created_at)
     VALUES ('g-x${i}', 'u-ops', '2024-03', 'gpt-4o', 'openai', 1, 1, 2, ${types.yes}, ${types.no}, 1, '${THEN}')`
  return [
    ...statements(types),
    user('a-boot', 'Bootstrap'),
    user('u-boot', 'bootstrap', LATER),
    user('a-ann', 'ANN', LATER),
    user('b-ann', 'ａｎｎ', LATER),
    user('u-blank', '   ', LATER),
    user('u-System', 'System'),
    token('t-second', null, OTHERS.second),
    token('t-boot', 'u-boot', OTHERS.boot),
    token('t-twice', 'a-ann', OTHERS.boot),
    token('t-person', 'u-person', OTHERS.person),
    `UPDATE users SET name = 'internal' WHERE id = 'u-sys'`,
    user('u-person', 'system'),
    ...Array.from({ length: MANY }, (_, i) => step(i)),
    'CREATE TABLE audit_log (broken INT)'
  ]
}

/** What makes the last table readable. */
export function repairs(types: Types): readonly string[] {
  const entry = (i: number) =>
    `INSERT INTO audit_log VALUES ('a-${i}', 'u-ann', 'ann', 'create', 'x', 'y', '${THEN}', NULL)`
  return [
    'DROP TABLE audit_log',
    `CREATE TABLE audit_log (id VARCHAR(36), user_id VARCHAR(36), user_name VARCHAR(255), action VARCHAR(40),
       entity_type VARCHAR(40), entity_id VARCHAR(40), created_at ${types.time}, metadata ${types.text})`,
    ...Array.from({ length: MANY }, (_, i) => entry(i))
  ]
}

/** Takes the hard one over: what fails says so and is refused by start, and once it is repaired the same command ends it. */
export async function proveHardTakeover(db: string, repair: () => Promise<void>): Promise<void> {
  const home = await newHome()
  const port = await freePort()
  home.configure({ port, db })
  const takeover = async () => status.parse(await home.json('migrate', '--status')).takeover
  const refusal = async (...args: readonly string[]) => {
    const { code, stderr } = await home.here(...args)
    assert.is(code, 1, `hub ${args.join(' ')}`)
    return stderr
  }
  for (const start of [['start'], ['start', '--init']]) {
    assert.match(await refusal(...start), /an older hub are in this database and not taken over yet. Run `hub migrate`/)
  }
  assert.is(await takeover(), 'pending')
  assert.match((await home.here('migrate', '--status')).stdout, /^pending takeover of the older hub/m)

  await refusal('migrate', '--dry-run')
  assert.is(await takeover(), 'pending', 'a dry run writes nothing')
  for (let run = 0; run < 2; run++) {
    assert.match(await refusal('migrate'), /Run this again: it goes on where it was/)
    assert.is(await takeover(), 'unfinished')
    assert.match(await refusal('start'), /begun and is not finished. Run `hub migrate` again/)
  }

  await repair()
  const dry = reported.parse(await home.json('migrate', '--dry-run'))
  const report = reported.parse(await home.json('migrate'))
  assert.equal(report, dry, 'the dry run says what happens')
  assert.is(await takeover(), 'done')
  const of = (name: string) => report.tables.find(({ table }) => table === name)
  assert.equal([of('llm_usage_log')?.taken, of('audit_log')?.taken], [MANY + 1, MANY])
  assert.equal(of('users')?.notes, [
    'a-boot "Bootstrap" is named "Bootstrap (2)": another account has that name.',
    'u-System "System" is named "System (2)": another account has that name.',
    'u-person "system" is named "system (3)": another account has that name.',
    'a-ann "ANN" is named "ANN (2)": another account has that name.',
    'b-ann "ａｎｎ" is named "ａｎｎ (3)": another account has that name.'
  ])
  assert.equal(of('api_tokens')?.notes, [
    'Tokens without an owner go to the user "bootstrap" that is there (u-boot), with the access that it has.'
  ])
  assert.equal(
    of('api_tokens')?.refused.map(({ id, why }) => `${id}: ${why}`),
    ['t-gone: its user is gone', 't-twice: another token has its secret']
  )

  const server = await home.start(['start'])
  const call = caller(`http://127.0.0.1:${port}`)
  for (const secret of [secrets.orphan, OTHERS.second, OTHERS.boot]) {
    assert.equal(session.parse(await call(secret, 'GET', '/auth/session')).user, { id: 'u-boot', name: 'bootstrap' })
  }
  assert.is(session.parse(await call(OTHERS.person, 'GET', '/auth/session')).user.id, 'u-person')
  assert.match(String(await call(OTHERS.person, 'GET', '/admin/users').catch(String)), /403/)
  await server.stop()
  const listed = users.parse(await home.json('user', 'list')).users
  assert.is(new Set(listed.map(({ name }) => name.normalize('NFKC').toLowerCase())).size, listed.length)
  assert.is((await home.here('projections', 'verify')).code, 0)
  assert.is((await home.here('audit', 'verify')).code, 0)
  assert.is((await home.here('migrate')).stdout, 'Database migration completed successfully.\n')
}

/** The same from another database: what was begun is known where it goes to. */
export async function proveHardTakeoverFrom(from: string, repair: () => Promise<void>): Promise<void> {
  const home = await newHome()
  const port = await freePort()
  const old = join(home.path, 'old.yaml')
  home.configure({ port, db: from })
  await rename(join(home.path, 'server.yaml'), old)
  home.configure({ port })
  assert.is((await home.here('migrate', '--from', old)).code, 1)
  assert.is(status.parse(await home.json('migrate', '--status')).takeover, 'unfinished')
  assert.match((await home.here('start')).stderr, /begun and is not finished.*with its --from and --tenant/)
  await repair()
  const migrated = await home.here('migrate', '--from', old)
  assert.is(migrated.code, 0, migrated.stderr)
  assert.is(status.parse(await home.json('migrate', '--status')).takeover, 'done')
  await (await home.start(['start'])).stop()
  assert.is((await home.here('projections', 'verify')).code, 0)
}
