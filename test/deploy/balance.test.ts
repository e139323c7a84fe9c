import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { temporaryDirectory } from '../support/databases.js'
import { freePort } from '../support/private-server.js'
import { suite } from '../support/suite.js'

const test = suite('proxies in front of two hubs, as docs/scale.md has them')
const PAGE = readFileSync(fileURLToPath(new URL('../../../docs/scale.md', import.meta.url)), 'utf8')
const PLACES = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
const TENANTS = Array.from({ length: 40 }, (_, i) => `team-${i}`)

interface Proxy {
  readonly program: string
  /** The file around the block of the page, which listens on the port. */
  readonly file: (block: string, port: number, home: string) => string
  readonly checks: (file: string) => readonly string[]
  readonly runs: (file: string) => readonly string[]
}

const proxies: readonly Proxy[] = [
  {
    program: 'nginx',
    file: (block, port, home) => {
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${home}/t;`
      )
      const server = `server { listen 127.0.0.1:${port}; location / { proxy_pass http://collections_hub; } }`
      return `daemon off; pid ${home}/pid; error_log stderr; events {} http { access_log off; ${temporary.join(' ')}\n${block}\n${server} }\n`
    },
    checks: (file) => ['-t', '-c', file],
    runs: (file) => ['-c', file]
  },
  {
    program: 'haproxy',
    file: (block, port) =>
      `defaults\n  timeout client 10s\n\nfrontend all\n  mode http\n  bind 127.0.0.1:${port}\n  default_backend hubs\n\n${block}\n`,
    checks: (file) => ['-c', '-f', file],
    runs: (file) => ['-db', '-f', file]
  },
  {
    program: 'caddy',
    file: (block, port) => `{\n\tadmin off\n}\n\nhttp://127.0.0.1:${port} {\n${block}\n}\n`,
    checks: (file) => ['validate', '--config', file, '--adapter', 'caddyfile'],
    runs: (file) => ['run', '--config', file, '--adapter', 'caddyfile']
  }
]

for (const proxy of proxies) {
  const name = `${proxy.program} sends each tenant to one of them, all others to both, and to the other one where one is gone`
  const program = PLACES.map((place) => join(place, proxy.program)).find((path) => existsSync(path))
  if (program === undefined) test.skip(name, `${proxy.program} is not installed`)
  else test(name, () => balances(proxy, program))
}

async function balances({ program: language, file, checks, runs }: Proxy, program: string): Promise<void> {
  const { path: home } = await temporaryDirectory()
  const [one, other] = [await hub('one'), await hub('other')]
  let running: ChildProcess | undefined
  try {
    mkdirSync(join(home, 't'))
    const port = await freePort()
    const [, block = ''] = new RegExp(`\`\`\`${language}(?:file)?\n([^]*?)\`\`\``).exec(PAGE) ?? []
    const here = block.replaceAll('10.0.0.5:8787', at(one)).replaceAll('10.0.0.6:8787', at(other))
    assert.ok(here.includes(at(one)) && here.includes(at(other)))
    const config = join(home, 'proxy.conf')
    writeFileSync(config, file(here, port, home))
    const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home }
    const { status, stderr } = spawnSync(program, checks(config), { encoding: 'utf8', env })
    assert.is(status, 0, stderr)
    running = spawn(program, runs(config), { stdio: 'ignore', env })
    while (!(await answered(port).catch(() => null))) await sleep(50)

    const chosen = new Map<string, string>()
    for (const tenant of TENANTS) chosen.set(tenant, await answered(port, tenant))
    assert.equal(new Set(chosen.values()), new Set(['one', 'other']))
    for (const [tenant, hub] of chosen)
      assert.equal([await answered(port, tenant), await answered(port, tenant)], [hub, hub])
    const any = await Promise.all(TENANTS.map(() => answered(port)))
    assert.equal(new Set(any), new Set(['one', 'other']))

    await end(other)
    for (const tenant of TENANTS) assert.is(await answered(port, tenant), 'one')
  } finally {
    running?.kill()
    if (running && running.exitCode === null) await once(running, 'exit')
    await Promise.all([end(one), end(other)])
  }
}

/** What a hub is here: it says which one it is, whatever it is asked. */
async function hub(name: string): Promise<Server> {
  const server = createServer((_, response) => response.end(name))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

function at(server: Server): string {
  const address = server.address()
  return typeof address === 'object' && address ? `127.0.0.1:${address.port}` : ''
}

async function end(server: Server): Promise<void> {
  if (!server.listening) return
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}

/** Which hub answers; rejects where none does. */
async function answered(port: number, tenant?: string): Promise<string> {
  const headers: Record<string, string> = tenant === undefined ? {} : { 'x-harbor-tenant': tenant }
  const response = await fetch(`http://127.0.0.1:${port}/auth/session`, { headers })
  if (response.status !== 200) throw new Error(`The proxy answered ${response.status}`)
  return response.text()
}

test.run()
