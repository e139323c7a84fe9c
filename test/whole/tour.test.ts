import { execFile } from 'node:child_process'
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import * as assert from 'uvu/assert'
import { firstSteps, type Home, newHome } from '../cli/support.js'
import { postgresDatabase, redisSpace } from '../support/databases.js'
import { findBinary, freePort } from '../support/private-server.js'
import { suite } from '../support/suite.js'

const README = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')
const TOUR = /```bash\n([\s\S]*?)```/.exec(README)?.[1] ?? ''
/** What a shell is started with to be one at a prompt, but for the files of whoever runs the tests. */
const AT_A_PROMPT = { bash: ['--norc', '-i', '-s'], zsh: ['-f', '-i', '-s'] } as const
const HUB = fileURLToPath(new URL('../../bin/hub.js', import.meta.url))
const execute = promisify(execFile)
const OTHERS = Array.from({ length: 28 }, (_, i) => `Request ${29 - i}`)
const TOURED = [...OTHERS, 'Request 30', 'in the folder: Request 1'].toSorted()

async function verified(home: Home): Promise<void> {
  const verification = await home.hub('projections', 'verify')
  assert.is(verification.code, 0, verification.stdout + verification.stderr)
}

/** What a new shell at a prompt prints where these texts are pasted into it, and nothing that it inherits names a hub. */
async function pasted(shell: keyof typeof AT_A_PROMPT, ...texts: readonly string[]): Promise<string> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('HUB_')))
  const running = execute(shell, AT_A_PROMPT[shell], { env })
  running.child.stdin?.end(`${texts.join('\n')}\n`)
  const { stdout, stderr } = await running
  assert.not.match(stderr, /command not found|no matches found|parse error|curl: \(|(bash|zsh): line/)
  return stdout
}

/** Asserts that the tour ran to its end so often. */
function toured(printed: string, times: number): void {
  assert.not.match(printed, /"error"|Unauthorized|Too Many/)
  const names = printed.split('\n').filter((line) => /^(in the folder: )?Request \d+$/.test(line))
  const each = Array.from({ length: times }, (_, i) => names.slice(30 * i, 30 * (i + 1)).toSorted())
  assert.equal(each, Array(times).fill(TOURED), printed)
  assert.is(names.length, 30 * times)
}

const embedded = suite('the tour of the README')
for (const shell of ['bash', 'zsh'] as const) {
  const name = `works when it is pasted at a prompt of ${shell}, twice, and after hub and terminal are new over what names another`
  if ((await findBinary(shell)) === null) {
    embedded.skip(name, `${shell} is not installed`)
    continue
  }
  embedded(name, async () => {
    const home = await newHome()
    home.configure({ port: await freePort() })
    const first = await home.start(['start', '--init'], 'First collection')
    const steps = firstSteps(first)
    toured(await pasted(shell, steps, TOUR, steps, TOUR), 2)
    assert.is((await first.stop()).code, 0)
    const second = await home.start(['start', '--init'])
    toured(await pasted(shell, 'HUB_USER=hbk_of_another_hub', steps, TOUR), 1)
    await verified(home)
    assert.is((await second.stop()).code, 0)
  })
}

embedded('makes nothing in a checkout that git would take, with all that the README has one run', async () => {
  const home = await newHome()
  home.configure({ port: await freePort() })
  const server = await home.start(['start', '--init'], 'First collection')
  const hub = `hub() { ${process.execPath} ${HUB} "$@"; }`
  const all = [...README.matchAll(/```bash\n([\s\S]*?)```/g)].map(([, block]) => block)
  await execute('bash', ['-euc', [hub, firstSteps(server), ...all].join('\n')], { cwd: home.path })
  assert.is((await server.stop()).code, 0)
  copyFileSync(new URL('../../../.gitignore', import.meta.url), join(home.path, '.gitignore'))
  await execute('git', ['init', '--quiet'], { cwd: home.path })
  const { stdout } = await execute('git', ['status', '--porcelain', '--untracked-files=all'], { cwd: home.path })
  assert.is(stdout, '?? .gitignore\n')
})

embedded('asks the hub for nothing where no user is named, and says what to paste first', async () => {
  const unnamed = execute('bash', ['-c', `HUB_URL=http://127.0.0.1:1 HUB_USER=\n${TOUR}`])
  const { stderr } = await unnamed.then(
    () => ({ stderr: 'It went well.' }),
    (error: unknown) => ({ stderr: String(error instanceof Error && 'stderr' in error ? error.stderr : error) })
  )
  assert.match(stderr, 'paste the lines of the first start before')
  assert.not.match(stderr, 'curl:')
})
embedded.run()

const served = suite('the tour of the README on services', { needs: ['postgres', 'redis'] })
served('works on Postgres with Redis, and the read tables are a replay of the log', async () => {
  const [database, space] = [await postgresDatabase('tour'), await redisSpace()]
  assert.ok(database && space)
  const { clear: _, ...redis } = space
  const home = await newHome()
  home.configure({ port: await freePort(), db: JSON.stringify(database.config), redis: JSON.stringify(redis) })
  const server = await home.start(['start', '--init'], 'First collection')
  const { stdout } = await execute('bash', ['-euo', 'pipefail', '-c', `${firstSteps(server)}\n${TOUR}`])
  const names = stdout.trim().split('\n').slice(-30)
  assert.equal(
    names.filter((name) => !name.startsWith('in the folder')),
    [...OTHERS, 'Request 30']
  )
  assert.ok(names.includes('in the folder: Request 1'))
  await verified(home)
  assert.is((await server.stop()).code, 0)
})
served.run()
