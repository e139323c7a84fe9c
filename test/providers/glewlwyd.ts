import { execFile } from 'node:child_process'
import { copyFile, cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Missing } from '../engines/engine.js'
import { temporaryDirectory } from '../support/databases.js'
import { findBinary, freePort, startPrivateServer } from '../support/private-server.js'

/** Where Debian's packages put the pages of the provider, what its database begins with, and what its pages are told. */
const PAGES = '/usr/share/glewlwyd/webapp'
const SCHEMA = '/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3'
const PAGES_CONFIG = '/usr/share/glewlwyd/templates/config.json'

const run = promisify(execFile)

/** A Glewlwyd of Debian's package, with a database of its own, in which there is its administrator alone. */
export interface Glewlwyd {
  /** With its version, as it names itself. */
  readonly name: string
  /** Where its pages are; the administration answers below `/api`. */
  readonly url: string
  stop(): Promise<void>
}

/** Starts it on a port of the loopback address. Rejects with `Missing` where it is not installed. */
export async function startGlewlwyd(): Promise<Glewlwyd> {
  const command = await findBinary('glewlwyd')
  if (command === null) throw new Missing('no glewlwyd on the path')
  const { path } = await temporaryDirectory()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  await run('sqlite3', [join(path, 'glewlwyd.sqlite'), `.read ${SCHEMA}`])
  await copyPages(join(path, 'pages'))
  await writeFile(join(path, 'glewlwyd.conf'), configOf(path, port, url))
  const { stop } = await startPrivateServer({
    command,
    args: ['--config-file', join(path, 'glewlwyd.conf')],
    directory: path,
    ready: async () => {
      const answer = await fetch(`${url}/config/`)
      if (!answer.ok) throw new Error(`${url} answers with ${answer.status}`)
    }
  })
  const { stdout } = await run(command, ['--version'])
  return { name: `glewlwyd ${stdout.trim()}`, url, stop }
}

/** The package leads from `config.json` to a directory, so that its pages would find nothing there. */
async function copyPages(pages: string): Promise<void> {
  await cp(PAGES, pages, { recursive: true, dereference: true, filter: (from) => from !== join(PAGES, 'config.json') })
  await copyFile(PAGES_CONFIG, join(pages, 'config.json'))
}

const MIME_TYPES = {
  html: 'text/html',
  css: 'text/css',
  js: 'application/javascript',
  json: 'application/json',
  png: 'image/png',
  ico: 'image/x-icon',
  woff2: 'font/woff2'
}

/** Over http on this machine, where it may set its cookies without `Secure`. */
function configOf(path: string, port: number, url: string): string {
  const types = Object.entries(MIME_TYPES).map(([end, type]) => `{ extension = ".${end}" mime_type = "${type}" }`)
  return `port = ${port}
bind_address = "127.0.0.1"
external_url = "${url}"
login_url = "login.html"
api_prefix = "api"
static_files_path = "${join(path, 'pages')}"
static_files_mime_types = (${types.join(', ')})
cookie_secure = 0
log_mode = "console"
log_level = "WARNING"
admin_scope = "g_admin"
profile_scope = "g_profile"
user_module_path = "/usr/lib/glewlwyd/user"
client_module_path = "/usr/lib/glewlwyd/client"
user_auth_scheme_module_path = "/usr/lib/glewlwyd/scheme"
plugin_module_path = "/usr/lib/glewlwyd/plugin"
hash_algorithm = "SHA512"
database = { type = "sqlite3"; path = "${join(path, 'glewlwyd.sqlite')}"; };
`
}
