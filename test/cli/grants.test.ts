import { execFile } from 'node:child_process'
import { once } from 'node:events'
import * as assert from 'uvu/assert'
import type { MysqlConfig, PostgresConfig } from '../../src/config/types.js'
import { mysqlDatabase, postgresDatabase } from '../support/databases.js'
import { suite } from '../support/suite.js'
import { needing } from '../tls/setting.js'
import { newHome } from './support.js'

const test = suite('hub migrate --grants', { needs: ['postgres', 'mysql'] })
const withClients = await needing(test, ['psql'], ['mariadb'])

interface Tried {
  readonly config: PostgresConfig | MysqlConfig
  /** Runs a text as an administrator does, with the database's own program. */
  readonly program: readonly string[]
  /** What gives an account that there is now a password. */
  readonly password: (name: string) => string
  /** What takes an account away again. */
  readonly gone: (name: string) => string
  readonly drop: () => Promise<void>
}

async function run(
  [command = '', ...args]: readonly string[],
  input: string
): Promise<{ code: number | null; error: string }> {
  const child = execFile(command, args)
  let error = ''
  child.stderr?.on('data', (text: string) => {
    error += text
  })
  child.stdin?.end(input)
  await once(child, 'close')
  return { code: child.exitCode, error }
}

const SECRET = 'a-password'

async function onPostgres(): Promise<Tried> {
  const found = await postgresDatabase('grants')
  if (!found) throw new Error('There is no Postgres.')
  const { host, port, user, database } = found.config
  const program = ['psql', '-v', 'ON_ERROR_STOP=1', '-q', '-h', host, '-p', String(port), '-U', user, database]
  return {
    ...found,
    program,
    password: (name) => `ALTER ROLE ${name} PASSWORD '${SECRET}';`,
    gone: (name) => `DROP OWNED BY ${name}; DROP ROLE ${name};`
  }
}

async function onMysql(): Promise<Tried> {
  const found = await mysqlDatabase('grants')
  if (!found) throw new Error('There is no MySQL.')
  const { host, port, user, database } = found.config
  const place = host.startsWith('/') ? [`--socket=${host}`] : [`--host=${host}`, `--port=${port}`, '--protocol=tcp']
  const program = ['mariadb', '--no-defaults', ...place, `--user=${user}`, database]
  return {
    ...found,
    program,
    password: (name) => `ALTER USER '${name}'@'%' IDENTIFIED BY '${SECRET}';`,
    gone: (name) => `DROP USER '${name}'@'%';`
  }
}

for (const [name, setUp] of [
  ['Postgres', onPostgres],
  ['MySQL', onMysql]
] as const)
  withClients(
    `${name}: a hub with the rights that it prints serves, and nobody who has them can change what is in the log`,
    async () => {
      const { config, program, password, gone, drop } = await setUp()
      const home = await newHome()
      // Accounts are those of the whole server: this prefix is this test's own.
      const prefix = `${config.database.slice(-12).replace(/\W/g, '_')}_`.replace(/^[^a-z]+/, 'g')
      const at = (user: string, password: string) =>
        home.configure({ db: JSON.stringify({ ...config, prefix, user, password }) })
      const create = (name: string) => home.here('user', 'create', '--name', name, '--role', 'admin')
      const asks = (user: string, text: string) => {
        const [command, ...args] = program.map((part) => part.replace(/^--user=.*/, `--user=${user}`))
        const i = args.indexOf('-U')
        const own = i < 0 ? [...args, `--password=${SECRET}`] : args.with(i + 1, user)
        return run([String(command), ...own], text)
      }
      try {
        at(config.user, config.password)
        assert.is((await home.here('migrate')).code, 0)
        assert.is((await create('ada')).code, 0)
        const { stdout: grants, stderr } = await home.here('migrate', '--grants')
        assert.is(stderr, '')
        const [serving, erasing] = [`${prefix}serving`, `${prefix}erasing`]
        for (const text of [grants, grants + password(serving) + password(erasing)])
          assert.is((await run(program, text)).code, 0)

        at(serving, SECRET)
        assert.is((await create('grace')).stderr, '')
        assert.is((await home.here('audit', 'verify')).code, 0)
        for (const text of [
          `UPDATE ${prefix}log SET payload = NULL`,
          `UPDATE ${prefix}log SET chain = 'x'`,
          `DELETE FROM ${prefix}log`,
          `TRUNCATE ${prefix}log`,
          `DROP TABLE ${prefix}log`
        ])
          assert.is.not((await asks(serving, `${text};`)).code, 0, text)
        for (const text of [`UPDATE ${prefix}log SET chain = 'x'`, `DELETE FROM ${prefix}log`])
          assert.is.not((await asks(erasing, `${text};`)).code, 0, text)
        const refused = await home.here('erase', 'user', 'ada', '--yes')
        assert.is(refused.code, 1)
        assert.match(refused.stderr, 'The account that the hub has at its database may not do this.')

        at(erasing, SECRET)
        assert.is((await home.here('erase', 'user', 'ada', '--yes')).code, 0)
        at(config.user, config.password)
        assert.is((await home.here('projections', 'rebuild')).code, 0)
        at(serving, SECRET)
        assert.is((await create('eve')).stderr, '')
        assert.is((await home.here('audit', 'verify')).code, 0)
      } finally {
        await home.remove()
        await run(program, gone(`${prefix}erasing`) + gone(`${prefix}serving`))
        await drop()
      }
    }
  )

test.run()
