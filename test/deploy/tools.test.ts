import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { temporaryDirectory } from '../support/databases.js'
import { suite } from '../support/suite.js'

const test = suite('deployments, as the tools that run them see them')
const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const PLACES = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']

/** Plans a test that needs a program of the machine; where it is not installed the test is skipped, and said to be. */
function withTool(
  tool: string,
  name: string,
  body: (run: (...args: readonly string[]) => string) => void | Promise<void>
) {
  const program = PLACES.map((place) => join(place, tool)).find((path) => existsSync(path))
  if (program === undefined) return test.skip(name, `${tool} is not installed`)
  test(name, () =>
    body((...args) => {
      const { status, stdout, stderr } = spawnSync(program, args, { cwd: ROOT, encoding: 'utf8' })
      assert.is(status, 0, `${tool} ${args.join(' ')}: ${stderr}`)
      return stdout + stderr
    })
  )
}

withTool('nginx', 'nginx takes its configuration', async (run) => {
  const { path } = await temporaryDirectory()
  const text = readFileSync(join(ROOT, 'deploy/proxy/nginx.conf'), 'utf8')
  const [pem, key] = ['fullchain.pem', 'key.pem'].map((name) => join(path, name))
  const subject = ['-nodes', '-days', '1', '-subj', '/CN=hub.example.com']
  const made = spawnSync('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    ...subject,
    '-keyout',
    `${key}`,
    '-out',
    `${pem}`
  ])
  assert.is(made.status, 0)
  writeFileSync(join(path, 'hub.conf'), text.replaceAll('/etc/ssl/hub.example.com', path))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${path}/t;`)
  mkdirSync(join(path, 't'))
  const main = `pid ${path}/pid; error_log stderr; events {} http { access_log off; ${temporary.join(' ')} include ${path}/hub.conf; }`
  writeFileSync(join(path, 'nginx.conf'), main)
  run('-t', '-c', join(path, 'nginx.conf'))
})

withTool('caddy', 'Caddy takes its configuration', (run) => {
  run('validate', '--config', 'deploy/proxy/Caddyfile', '--adapter', 'caddyfile')
})

withTool(
  'kubectl',
  'kustomize builds the manifests, with the image and the configuration in each that needs them',
  (run) => {
    const built = run('kustomize', 'deploy/kubernetes')
    assert.is([...built.matchAll(/image: registry\.example\.com\/collections-hub:/g)].length, 3)
    assert.is([...built.matchAll(/name: hub-config-\w+/g)].length, 4)
  }
)

withTool(
  'systemd-analyze',
  'systemd knows every word of the units, alone or as a template, and calls them well confined',
  async (run) => {
    const { path } = await temporaryDirectory()
    const instance = join(path, 'collections-hub@8788.service')
    copyFileSync(join(ROOT, 'deploy/systemd/collections-hub.service'), instance)
    const units = ['collections-hub', 'collections-hub-backup'].map((name) => `deploy/systemd/${name}.service`)
    for (const unit of [...units, instance]) {
      const exposure = run('security', '--offline=yes', '--threshold=20', unit)
      assert.match(exposure, /Overall exposure level for collections-hub(-backup|@8788)?\.service: [01]\.\d OK/)
      assert.not.match(exposure, /Unknown (key|section)/)
    }
  }
)

withTool('systemd-analyze', 'systemd knows when backups are made', (run) => {
  const [, when = ''] =
    /^OnCalendar=(.*)$/m.exec(readFileSync(join(ROOT, 'deploy/systemd/collections-hub-backup.timer'), 'utf8')) ?? []
  assert.match(run('calendar', when), /Normalized form: /)
})

test.run()
