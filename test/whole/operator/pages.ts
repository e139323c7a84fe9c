import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { delimiter } from 'node:path'
import * as assert from 'uvu/assert'
import { firstSteps, newHome } from '../../cli/support.js'
import { freePort } from '../../support/private-server.js'
import type { Installed } from './installed.js'

const ROOT = new URL('../../../../', import.meta.url)
const FENCE = /^```(.*)\n([\s\S]*?)^```$/gm
/** Blocks that are run; those in other languages are looked at. */
const SHELL = ['sh', 'bash']
/** The hub of a page says where a command failed, and is gone when the page is done. */
const PREFACE = `
trap 'echo "It failed at: $BASH_COMMAND" >&2' ERR
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
`

/** A page for people with commands in it. */
export interface Page {
  readonly name: string
  /** Its shell blocks in their order, for one shell. */
  readonly blocks: readonly string[]
  /** True where the page speaks of a running hub by the names that its start has printed. */
  readonly needsHub: boolean
}

/** Every page with shell blocks but the README, whose tour has tests of its own. */
export function pages(): readonly Page[] {
  const names = readdirSync(new URL('docs/', ROOT)).filter((name) => name.endsWith('.md'))
  return names
    .map((file) => {
      const name = `docs/${file}`
      const fenced = [...readFileSync(new URL(name, ROOT), 'utf8').matchAll(FENCE)]
      for (const [, language = ''] of fenced)
        assert.match(
          language,
          /^(sh|bash|text|yaml|json|toml|python|ts|nginx|haproxy|caddyfile)$/,
          `${name}: ${language}`
        )
      const blocks = fenced.flatMap(([, language = '', text = '']) => (SHELL.includes(language) ? [text] : []))
      return { name, blocks, needsHub: blocks.some((text) => text.includes('$HUB_URL')) }
    })
    .filter(({ blocks }) => blocks.length > 0)
}

/**
 * Runs the commands of a page in an empty directory, as they stand there but for the port. Where
 * it needs a hub, one is started there, and what it says to paste stands before them.
 */
export async function runPage({ blocks, needsHub }: Page, { bin, hub }: Installed): Promise<void> {
  const port = String(await freePort())
  const home = await newHome(['env', `HUB_SERVER_PORT=${port}`, hub])
  const pasted = needsHub ? firstSteps(await home.start(['start', '--init'], 'First collection')) : ''
  const commands = [pasted, ...blocks].join('\n').replaceAll(/\b8787\b/g, port)
  const env = { ...process.env, PATH: [bin, process.env.PATH].join(delimiter), HUB_SERVER_PORT: port }
  const shell = spawn('bash', ['-eu', '-c', PREFACE + commands], { cwd: home.path, env })
  let printed = ''
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      // What a page does for long is progress.
      process.stdout.write('.')
    })
  }
  await once(shell, 'close')
  process.stdout.write('\n')
  assert.is(shell.exitCode, 0, printed)
}
