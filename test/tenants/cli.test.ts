import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import Database from 'libsql'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { tenantsTable } from '../../commands/tenants/tenant/table.js'
import { openReadyStorage } from '../../src/app/databases.js'
import { loadConfig } from '../../src/config/load.js'
import { configOfTenant } from '../../src/tenants/config.js'
import { noteMove } from '../../src/tenants/left.js'
import { makeLog } from '../../src/tenants/setup.js'
import { generic } from '../cli/generic.js'
import { type Home, newHome, postgresSection, type Result } from '../cli/support.js'
import { postgresDatabase } from '../support/databases.js'
import { suite } from '../support/suite.js'

const DISABLED = 'Multitenancy is disabled in server.yaml. Set multitenancy.enabled to true to'
const NONE = 'No tenant found with id "ghost". See: hub tenant list\n'
const users = z.object({ users: z.array(z.looseObject({ id: z.string(), name: z.string() })) })
const listed = z.object({ tenants: z.array(z.looseObject({ id: z.string(), database: z.string() })) })
const verified = z.looseObject({ position: z.number() })

/** What stands behind the sections that every hub has. */
const SECTIONS = `multitenancy:
  enabled: true
  databases:
    east: {driver: sqlite, path: east/hub.sqlite}
    wide: {driver: postgres, host: 127.0.0.1, port: 1, user: u, password: p, database: d, prefix: ${'a'.repeat(29)}}
tenants:
  solo: {db: {driver: sqlite, path: shared.sqlite, prefix: solo_}}
  duo: {db: {driver: sqlite, path: shared.sqlite, prefix: duo_}}
`

for (const name of ['sqlite', 'postgres'] as const) {
  const test = suite(`hub tenant on ${name}`, { needs: name === 'postgres' ? ['postgres'] : [] })
  let home: Home
  let remove = async () => {}

  const said = async (...args: readonly string[]) => generic(await home.done(...args))
  const refused = async (code: number, text: string | RegExp, ...args: readonly string[]) => {
    const result: Result = await home.here(...args)
    assert.equal([result.code, result.stdout], [code, ''], result.stderr)
    if (typeof text === 'string') assert.is(result.stderr, text)
    else assert.match(result.stderr, text)
  }
  const namesIn = async (...args: readonly string[]) =>
    users.parse(await home.json('user', 'list', ...args)).users.map((user) => user.name)
  const databaseOf = async (id: string) =>
    listed.parse(await home.json('tenant', 'list')).tenants.find((tenant) => tenant.id === id)?.database

  const logsInEast = () => readdirSync(join(home.path, 'east', 'tenants')).filter((one) => one.endsWith('.sqlite'))

  test.before(async () => {
    home = await newHome()
    if (name === 'postgres') {
      const database = await postgresDatabase('tenants')
      if (!database) throw new Error('There is no Postgres.')
      remove = database.drop
      home.configure({ db: postgresSection(database.config) })
    } else home.configure()
    const file = join(home.path, 'server.yaml')
    assert.is((await home.here('migrate')).code, 0)
    await refused(1, `${DISABLED} create non-default tenants.\n`, 'tenant', 'create', 'acme', '--name', 'Acme Inc')
    await refused(1, `${DISABLED} delete non-default tenants.\n`, 'tenant', 'delete', 'acme', '--yes')
    await refused(1, `${DISABLED} use non-default tenants.\n`, 'user', 'list', '--tenant', 'acme')
    writeFileSync(file, `${readFileSync(file, 'utf8')}${SECTIONS}`)
  })
  test.after(async () => {
    await home?.remove()
    await remove()
  })

  test('there are none at first; one is made, with its name, and told of in a block', async () => {
    assert.is(await said('tenant', 'list'), 'No tenants found.\n')
    const block = (id: string, called: string) =>
      `- id: ${id}\n  name: ${called}\n  database: hub\n  created: TIME\n  updated: TIME\n`
    const made = await said('tenant', 'create', 'acme', '--name', 'Acme Inc')
    assert.is(made, `Created tenant "Acme Inc" (acme).\n${block('acme', 'Acme Inc')}`)
    await said('tenant', 'create', 'Acme', '--name', 'Aardvarks')
    assert.is(await said('tenant', 'list'), `${block('Acme', 'Aardvarks')}${block('acme', 'Acme Inc')}`)
  })

  test('what is no id, no name, or taken is refused, and makes nothing', async () => {
    const create = (id: string, called = 'X') => ['tenant', 'create', id, '--name', called] as const
    await refused(1, 'A tenant with id "acme" already exists.\n', ...create('acme'))
    const reserved = 'Cannot create or delete the reserved default tenant id "__default__".\n'
    await refused(2, reserved, ...create('__default__'))
    await refused(2, reserved, 'tenant', 'delete', '__default__', '--yes')
    const form = 'Tenant id may only contain letters, digits, underscores, and hyphens.\n'
    await refused(2, form, ...create('a b'))
    await refused(2, form, ...create('../acme'))
    await refused(2, 'Tenant id must be at most 64 characters.\n', ...create('x'.repeat(65)))
    await refused(2, 'Tenant name must not be empty.\n', ...create('beta', '  '))
    await refused(
      2,
      /--database: there is no "west"\. Known here: hub, east, wide\./,
      ...create('beta'),
      '--database',
      'west'
    )
    const cut = '--database: the prefix of "wide" has more than 28 characters, which is too long for tenants.\n'
    await refused(2, cut, ...create('beta'), '--database', 'wide')
    assert.is((await home.here('tenant', 'create', 'beta')).code, 2)
    assert.equal(
      listed.parse(await home.json('tenant', 'list')).tenants.map(({ id }) => id),
      ['Acme', 'acme']
    )
  })

  test('commands about accounts, tokens, collections and the log are about the tenant that they name', async () => {
    const made = await said('user', 'create', '--tenant', 'acme', '--name', 'ada', '--role', 'admin')
    assert.match(made, /^Created user "ada"/)
    await said('user', 'create', '--tenant', 'Acme', '--name', 'abe', '--role', 'user')
    assert.equal(
      [await namesIn('--tenant', 'acme'), await namesIn('--tenant', 'Acme')].map((all) => all.includes('ada')),
      [true, false]
    )
    assert.not.ok((await namesIn()).includes('ada'))
    assert.match(
      await said('user', 'token', 'create', '--tenant', 'acme', '--user', 'ada', '--name', 'laptop'),
      'SECRET'
    )
    assert.match(await said('user', 'token', 'list', '--tenant', 'acme'), 'laptop')
    assert.not.match(await said('user', 'token', 'list'), 'laptop')
    assert.is(await said('collection', 'list', '--tenant', 'acme'), await said('collection', 'list'))
    assert.match(await said('audit', 'list', '--tenant', 'acme'), 'ada')
    assert.not.match(await said('audit', 'list'), 'ada')
    const ends = [
      verified.parse(await home.json('audit', 'verify', '--tenant', 'acme')),
      await home.json('audit', 'verify')
    ]
    assert.not.equal(ends[0], ends[1])
    const looked = [await home.here('doctor', '--tenant', 'acme'), await home.here('doctor')].map(
      ({ stdout }) => /chain .*/.exec(stdout)?.[0]
    )
    assert.ok(looked[0])
    assert.not.equal(looked[0], looked[1])
  })

  test('a command that is about no log takes no tenant', async () => {
    for (const args of [
      ['config', 'check'],
      ['config', 'schema'],
      ['completion', 'bash'],
      ['tenant', 'list']
    ])
      await refused(2, /--tenant/, ...args, '--tenant', 'acme')
  })

  test('a tenant that is not there is refused, and nothing is made anywhere', async () => {
    const before = await said('user', 'list')
    for (const args of [
      ['user', 'create', '--name', 'x', '--role', 'user'],
      ['user', 'list'],
      ['user', 'token', 'list'],
      ['user', 'invite', 'list'],
      ['collection', 'list'],
      ['audit', 'verify'],
      ['backup', 'create', join('out', 'x.backup')]
    ])
      await refused(1, NONE, ...args, '--tenant', 'ghost')
    for (const args of [
      ['rename', 'ghost', '--name', 'x'],
      ['move', 'ghost', '--database', 'east'],
      ['export', 'ghost', 'x.backup'],
      ['delete', 'ghost', '--yes']
    ])
      await refused(1, NONE, 'tenant', ...args)
    assert.is(await said('user', 'list'), before)
    // The hub itself is named by its id, too.
    assert.is(await said('user', 'list', '--tenant', '__default__'), before)
  })

  test('the tenant that a migration names is one of the older hub', async () => {
    const { stderr } = await home.here('migrate', '--from', 'nowhere.yaml', '--tenant', 'ghost')
    assert.not.match(stderr, 'No tenant found')
  })

  test('an invite link names the tenant; that of the hub itself names none', async () => {
    const invite = ['user', 'invite', 'create', '--role', 'user', '--base-url', 'https://hub.example.com', '--name']
    const linkIn = (stdout: string) => new URL(/^https:\S+$/m.exec(stdout)?.[0] ?? '')
    const own = linkIn((await home.here(...invite, 'bo', '--tenant', 'acme')).stdout)
    assert.is(own.searchParams.get('tenant'), 'acme')
    assert.match(own.hash, /^#code=hbi_/)
    const ofHub = linkIn((await home.here(...invite, 'bo')).stdout)
    assert.equal([...ofHub.searchParams.keys()], ['url', 'name', 'role', 'exp', 'access'])
    const named = linkIn((await home.here(...invite, 'cy', '--tenant', '__default__')).stdout)
    assert.is(named.searchParams.get('tenant'), null)
  })

  test('a name is changed, and the id stays', async () => {
    assert.match(
      await said('tenant', 'rename', 'acme', '--name', 'Acme Ltd'),
      /^Renamed tenant "Acme Ltd" \(acme\)\.\n- id: acme/
    )
  })

  test('a tenant is moved with its log, its accounts and its tokens, and back again', async () => {
    const before = [
      await said('user', 'list', '--tenant', 'acme'),
      await said('user', 'token', 'list', '--tenant', 'acme')
    ]
    const { position } = verified.parse(await home.json('audit', 'verify', '--tenant', 'acme'))
    for (const database of ['east', 'hub']) {
      const moved = await said('tenant', 'move', 'acme', '--database', database)
      assert.ok(moved.startsWith(`Moved tenant "Acme Ltd" (acme), up to position ${position}.\n`), moved)
      assert.is(await databaseOf('acme'), database)
      assert.equal(
        [await said('user', 'list', '--tenant', 'acme'), await said('user', 'token', 'list', '--tenant', 'acme')],
        before
      )
    }
    assert.equal(readdirSync(join(home.path, 'east', 'tenants')), [])
    await said('user', 'create', '--tenant', 'acme', '--name', 'after', '--role', 'user')
  })

  test('of two that move a tenant at once one does, and what was copied is there once', async () => {
    const before = await namesIn('--tenant', 'acme')
    const move = () => home.run('tenant', 'move', 'acme', '--database', 'east').done
    const results = await Promise.all([move(), move()])
    assert.ok(
      results.some(({ code }) => code === 0),
      JSON.stringify(results)
    )
    assert.equal([await databaseOf('acme'), await namesIn('--tenant', 'acme')], ['east', before])
    assert.is(logsInEast().length, 1)
    await said('tenant', 'move', 'acme', '--database', 'hub')
  })

  test('what a move that was killed has left where the tenant is not goes with the next one', async () => {
    const { config } = loadConfig(join(home.path, 'server.yaml'), {})
    const hub = await openReadyStorage(config)
    const [row] = await hub.rows((await hub.head()).generation).list(tenantsTable, 'byTenant', ['acme'])
    if (!row) throw new Error('There is no tenant.')
    const left = { tenant: 'acme', database: 'east', place: 'leftover' }
    await makeLog(configOfTenant(config, left))
    await noteMove(hub.state, row, left)
    await hub.close()
    assert.equal(logsInEast(), ['acme-leftover.sqlite'])
    await said('tenant', 'move', 'acme', '--database', 'east')
    assert.equal([logsInEast().length, logsInEast().includes('acme-leftover.sqlite')], [1, false])
    await said('tenant', 'move', 'acme', '--database', 'hub')
    assert.equal(readdirSync(join(home.path, 'east', 'tenants')), [])
  })

  if (name === 'sqlite')
    test('a move that fails leaves nothing of the tenant at the new place, and the old one serves', async () => {
      const folder = join(home.path, 'data', 'tenants')
      const [file = ''] = readdirSync(folder).filter((one) => /^acme-.*sqlite$/.test(one))
      const db = new Database(join(folder, file))
      const { table } = z
        .object({ table: z.string() })
        .parse(
          db.prepare(`SELECT name AS "table" FROM sqlite_master WHERE type = 'table' AND name LIKE '%users%'`).get()
        )
      const rename = (from: string, to: string) =>
        db.prepare(`UPDATE "${table}" SET name = ? WHERE name = ?`).run(to, from)
      rename('after', 'forged')
      await refused(1, /These read tables are not as they were/, 'tenant', 'move', 'acme', '--database', 'east')
      assert.equal(readdirSync(join(home.path, 'east', 'tenants')), [])
      rename('forged', 'after')
      db.close()
      await said('user', 'create', '--tenant', 'acme', '--name', 'afterwards', '--role', 'user')
    })

  test('a tenant that is in its own database already stays there', async () => {
    await said('tenant', 'create', 'solo', '--name', 'Solo')
    await said('user', 'create', '--tenant', 'solo', '--name', 'sue', '--role', 'user')
    await refused(
      1,
      'Tenant "Solo" (solo) is in its own database already.\n',
      'tenant',
      'move',
      'solo',
      '--database',
      'own'
    )
    assert.ok((await namesIn('--tenant', 'solo')).includes('sue'))
  })

  test('who is deleted or moves away leaves others that share the file as they are', async () => {
    await said('tenant', 'create', 'duo', '--name', 'Duo')
    await said('user', 'create', '--tenant', 'duo', '--name', 'dan', '--role', 'user')
    await said('tenant', 'move', 'solo', '--database', 'east')
    assert.ok((await namesIn('--tenant', 'duo')).includes('dan'))
    await said('tenant', 'move', 'solo', '--database', 'own')
    assert.ok((await namesIn('--tenant', 'solo')).includes('sue'))
    const indexes = () => readdirSync(home.path).filter((file) => file.startsWith('shared.sqlite.solo_search'))
    // On a busy machine it says that it waits for the index.
    assert.is((await home.here('find', 'sue', '--tenant', 'solo')).code, 0)
    assert.ok(indexes().length > 0)
    assert.is(await said('tenant', 'delete', 'solo', '--yes'), 'Deleted tenant "Solo" (solo).\n')
    assert.equal(indexes(), [])
    assert.ok((await namesIn('--tenant', 'duo')).includes('dan'))
  })

  test('a tenant is exported, deleted with everything, and imported again', async () => {
    const file = join(home.path, 'acme.backup')
    const exported = await said('tenant', 'export', 'acme', file)
    const [, position] = /^Exported tenant "Acme Ltd" \(acme\) to \S+, up to position (\d+)\.\n$/.exec(exported) ?? []
    assert.ok(Number(position) > 3 && exported.includes(file), exported)
    await refused(1, `${file} exists already. Name another file, or add --force.\n`, 'tenant', 'export', 'acme', file)
    const accounts = await said('user', 'list', '--tenant', 'acme')
    assert.is(await said('tenant', 'delete', 'acme', '--yes'), 'Deleted tenant "Acme Ltd" (acme).\n')
    await refused(1, /No tenant found with id "acme"/, 'user', 'list', '--tenant', 'acme')
    const imported = await said('tenant', 'import', 'acme', file, '--name', 'Acme Again')
    assert.ok(imported.startsWith(`Imported tenant "Acme Again" (acme), up to position ${position}.\n`), imported)
    assert.is(await said('user', 'list', '--tenant', 'acme'), accounts)
    await refused(1, 'A tenant with id "acme" already exists.\n', 'tenant', 'import', 'acme', file, '--name', 'Twice')
  })

  test('an export that is interrupted leaves nothing behind', async () => {
    const folder = join(home.path, 'exports')
    const exporting = home.here('tenant', 'export', 'acme', join(folder, 'acme.backup'))
    while (!existsSync(folder) || readdirSync(folder).length === 0) await setImmediate()
    process.emit('SIGINT', 'SIGINT')
    const stderr = 'The backup was stopped; nothing is left of it.\n'
    assert.equal(await exporting, { code: 1, stdout: '', stderr })
    assert.equal(readdirSync(folder), [])
  })

  test('a backup that is interrupted takes nothing of the tenants that are left, leaves nothing, and is made anew', async () => {
    const file = join(home.path, 'stopped.backup')
    const told = (id: string) => home.here('audit', 'list', '--tenant', id, '--type', 'LogExported', '--json')
    // By name Aardvarks is before Acme Again and Duo.
    const before = await told('duo')
    const creating = home.here('backup', 'create', file)
    while (!existsSync(`${file}.tenants`)) await setImmediate()
    process.emit('SIGINT', 'SIGINT')
    const { code, stderr } = await creating
    assert.is(code, 1)
    assert.match(stderr, 'The backup was stopped; nothing is left of it.')
    assert.equal([existsSync(file), existsSync(`${file}.tenants`), await told('duo')], [false, false, before])
    await said('backup', 'create', file)
  })

  if (name === 'sqlite')
    test('an import that is interrupted leaves nothing behind', async () => {
      const databases = () => readdirSync(join(home.path, 'data', 'tenants')).filter((file) => file.endsWith('.sqlite'))
      const before = databases()
      const importing = home.here('tenant', 'import', 'halted', join(home.path, 'acme.backup'), '--name', 'Halted')
      while (databases().length === before.length) await setImmediate()
      process.emit('SIGINT', 'SIGINT')
      const stderr = 'The import was stopped: no tenant was made.\n'
      assert.equal(await importing, { code: 1, stdout: '', stderr })
      assert.equal(databases(), before)
      assert.is(await databaseOf('halted'), undefined)
    })

  test('an import of what is no backup leaves nothing behind', async () => {
    const file = join(home.path, 'broken.backup')
    writeFileSync(file, readFileSync(join(home.path, 'acme.backup')).subarray(0, 400))
    const folder = join(home.path, 'data', 'tenants')
    // Beside a database are files of its own while somebody has it open.
    const databases = () => (existsSync(folder) ? readdirSync(folder).filter((name) => !/-(shm|wal)$/.test(name)) : [])
    const before = databases()
    assert.is((await home.here('tenant', 'import', 'torn', file, '--name', 'Torn')).code, 1)
    assert.equal(databases(), before)
    assert.is(await databaseOf('torn'), undefined)
  })

  if (name === 'sqlite')
    test('a tenant whose database is away is not deleted, and goes with its data once it is there', async () => {
      await said('tenant', 'create', 'far', '--name', 'Far', '--database', 'east')
      const [folder, away] = [join(home.path, 'east', 'tenants'), join(home.path, 'east', 'away')]
      renameSync(folder, away)
      writeFileSync(folder, '')
      assert.is((await home.here('tenant', 'delete', 'far', '--yes')).code, 1)
      assert.is(await databaseOf('far'), 'east')
      rmSync(folder)
      renameSync(away, folder)
      assert.is(await said('tenant', 'delete', 'far', '--yes'), 'Deleted tenant "Far" (far).\n')
      assert.equal(readdirSync(folder), [])
    })

  test('who does not confirm deletes nothing', async () => {
    const { code } = await home.here('tenant', 'delete', 'Acme')
    assert.is.not(code, 0)
    assert.is(await databaseOf('Acme'), 'hub')
  })

  test.run()
}
