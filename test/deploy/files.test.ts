import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import * as assert from 'uvu/assert'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { commands } from '../../cli/commands.js'
import { parseGlobals } from '../../cli/lib/globals.js'
import { HubCli } from '../../cli/pages.js'
import { loadConfig } from '../../src/config/load.js'
import { LIMITS } from '../../src/limits.js'
import { suite } from '../support/suite.js'

const test = suite('the files of a deployment')
const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const SYSTEMD = 'deploy/systemd/collections-hub'
const service = z.object({ command: z.array(z.string()), environment: z.record(z.string(), z.string()) })
const compose = z.object({ services: z.object({ hub: service, backup: service }) })
const MEGABYTE = 1024 * 1024
const SECRETS = { HUB_DB_PASSWORD: 'x', HUB_DB_HOST: 'db', HUB_REDIS_HOST: 'redis' }

const files = readdirSync(join(ROOT, 'deploy'), { recursive: true, encoding: 'utf8' }).map((path) => `deploy/${path}`)
const yaml = [...files.filter((path) => path.endsWith('.yaml')), 'compose.yaml']

for (const path of yaml) {
  test(`${path} is YAML without a doubtful line`, () => {
    for (const document of parseAllDocuments(read(path))) {
      assert.equal(document.errors, [])
      assert.equal(document.warnings, [])
    }
  })
}

for (const path of yaml.filter((path) => path.endsWith('server.yaml') || path.endsWith('server-full.yaml'))) {
  test(`${path} is a configuration that the hub takes, and writes nothing beside itself`, () => {
    // The variables of a database that is not there would be keys that SQLite does not have.
    const { config } = loadConfig(join(ROOT, path), read(path).includes('postgres') ? SECRETS : {})
    assert.ok(config.server.trustedProxies.length > 0)
    assert.match(config.audit.checkpointKeyFile, /^\/(data|secrets|var\/lib\/collections-hub)\//)
    if (config.db.driver === 'sqlite') assert.match(config.db.path, /^\/(data|var\/lib\/collections-hub)\//)
    assert.is(config.server.port, 8787)
  })
}

test('what the Dockerfile copies exists, and nothing that Docker is not given', () => {
  const ignored = read('.dockerignore').split('\n')
  const copied = [...read('Dockerfile').matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, paths = '']) =>
    paths.split(' ')
  )
  assert.ok(copied.length > 10)
  for (const path of copied) {
    assert.ok(existsSync(join(ROOT, path)), path)
    const given = path.split('/').map((_, i, names) => `!${names.slice(0, i + 1).join('/')}`)
    assert.ok(
      ignored.some((line) => given.includes(line)),
      path
    )
  }
  const folders = JSON.parse(read('tsconfig.json')).include.filter(
    (folder: string) => !/^(test|bench|clients\/)/.test(folder)
  )
  for (const folder of folders) assert.ok(copied.includes(folder), `${folder} is compiled, and is not in the image`)
  const built = JSON.parse(read('package.json')).files.filter((path: string) => path.startsWith('dist/'))
  assert.ok(built.length > 1)
  for (const path of built) assert.match(read('Dockerfile'), `COPY --from=build /app/${path} /app/${path}`)
})

test('the image, compose.yaml and the manifests of Kubernetes run as the same account, which is not root', () => {
  const [, user = ''] = /^USER (\d+):\d+$/m.exec(read('Dockerfile')) ?? []
  assert.is.not(Number(user), 0)
  for (const file of ['deployment', 'migrate', 'backup']) {
    const text = read(`deploy/kubernetes/${file}.yaml`)
    for (const line of [`runAsUser: ${user}`, 'runAsNonRoot: true', 'readOnlyRootFilesystem: true']) {
      assert.ok(text.includes(line), `${file}: ${line}`)
    }
  }
  assert.match(read('compose.yaml'), 'read_only: true')
})

test('a command in the container of compose.yaml finds the configuration that the hub there runs with', () => {
  const { hub, backup } = compose.parse(parse(read('compose.yaml'), { merge: true })).services
  // biome-ignore lint/suspicious/noTemplateCurlyInString: Compose replaces it
  assert.is(hub.environment.HUB_CONFIG, '/etc/collections-hub/server${COMPOSE_PROFILES:+-full}.yaml')
  assert.not.match(hub.command.join(' '), '-c')
  assert.equal(backup.environment, hub.environment)
  assert.match(read('docs/install.md'), 'docker compose exec hub hub user list')
})

test('backups are made by a unit, a service of compose.yaml and a CronJob, each by a command that the hub knows', () => {
  const [, unit = ''] =
    /^ExecStart=\/opt\/collections-hub\/bin\/hub (.*)$/m.exec(read(`${SYSTEMD}-backup.service`)) ?? []
  const { backup } = compose.parse(parse(read('compose.yaml'), { merge: true })).services
  const [, args = ''] = /args: \[(.*)\]/.exec(read('deploy/kubernetes/backup.yaml')) ?? []
  for (const words of [unit.split(' '), backup.command, args.split(', ')]) {
    const { rest } = parseGlobals(words, {})
    const command = new HubCli(commands).process(rest, {
      configPath: '',
      configFrom: 'default',
      noEnv: false,
      verbose: false,
      pages: []
    })
    assert.equal(command.path, ['backup', 'follow'], words.join(' '))
  }
  const page = read('docs/backup.md')
  for (const name of ['collections-hub-backup.timer', 'docker compose --profile backup', 'cronjob/hub-backup'])
    assert.match(page, name)
})

test('the unit of backups writes into its own directory, and the timer starts that unit', () => {
  const unit = read(`${SYSTEMD}-backup.service`)
  const [, directory = ''] = /backup follow \/var\/lib\/(\S+)/.exec(unit) ?? []
  assert.match(unit, new RegExp(`^StateDirectory=collections-hub ${directory}$`, 'm'))
  assert.match(read(`${SYSTEMD}-backup.timer`), /^OnCalendar=/m)
  assert.match(unit, /^User=collections-hub$/m)
})

test('READY_URL says where the script asks whether the hub is ready, as the page says', async () => {
  assert.match(read('docs/install.md'), '`READY_URL`')
  const asked: (string | undefined)[] = []
  const server = createServer(({ url }, answer) => {
    asked.push(url)
    answer.writeHead(url === '/hub/readyz' ? 200 : 503).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  const ready = (path: string) =>
    promisify(execFile)(process.execPath, [join(ROOT, 'deploy/ready.mjs')], {
      env: { READY_URL: `http://127.0.0.1:${address.port}${path}` }
    }).then(
      () => 'ready',
      (error: unknown) => String(error)
    )
  try {
    assert.is(await ready('/hub/readyz'), 'ready')
    assert.match(await ready('/readyz'), 'The hub is not ready')
    assert.equal(asked, ['/hub/readyz', '/readyz'])
  } finally {
    server.close()
  }
})

test('every manifest is named by the kustomization, and what that names exists', () => {
  const named = [...read('deploy/kubernetes/kustomization.yaml').matchAll(/[\w.-]+\.yaml/g)].map(([name]) => name)
  const there = readdirSync(join(ROOT, 'deploy/kubernetes'))
  assert.equal([...new Set(named)].toSorted(), there.filter((name) => name !== 'kustomization.yaml').toSorted())
})

test('proxies let through what the hub takes, and use no connection that the hub may be closing', () => {
  const nginx = read('deploy/proxy/nginx.conf')
  const caddy = read('deploy/proxy/Caddyfile')
  const ingress = read('deploy/kubernetes/ingress.yaml')
  for (const [text, size] of [
    [nginx, /client_max_body_size (\d+)m;/],
    [caddy, /max_size (\d+)MB/],
    [ingress, /proxy-body-size: (\d+)m/]
  ] as const) {
    assert.ok(Number(size.exec(text)?.[1]) * 1e6 > LIMITS.contentBody.max, `${size}`)
  }
  const keepAlive_s = LIMITS.keepAliveTime.max / 1000
  assert.ok(Number(/keepalive_timeout (\d+)s/.exec(nginx)?.[1]) < keepAlive_s)
  assert.ok(Number(/keepalive (\d+)s/.exec(caddy)?.[1]) < keepAlive_s)
  assert.ok(LIMITS.contentBody.max >= MEGABYTE)
})

test('the unit of systemd starts what is installed, and waits for it with a script of the package', () => {
  const unit = read('deploy/systemd/collections-hub.service')
  const { bin } = JSON.parse(read('package.json'))
  assert.match(unit, /^ExecStart=\/opt\/collections-hub\/bin\/hub -c \/etc\/collections-hub\/server.yaml start$/m)
  assert.ok('hub' in bin)
  const [, script = ''] = /^ExecStartPost=.*\/node_modules\/collections-hub\/(\S+) --wait \d+$/m.exec(unit) ?? []
  assert.ok(script !== '' && existsSync(join(ROOT, script)))
})

test.run()
