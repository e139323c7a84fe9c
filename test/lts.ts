import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The releases of Node that are in long-term support beside the oldest one that the hub runs on. */
const RELEASES = [22, 24, 26]
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const QUICK = fileURLToPath(new URL('quick.js', import.meta.url))

/**
 * The newest Node of a release, from npm's packages of its binaries. They are fetched when they are first needed, and beside
 * the dependencies: nobody else should wait for them.
 */
async function nodeOf(release: number): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`
  const place = join(ROOT, 'node_modules/.cache/node-releases', String(release))
  const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts']
  await run('npm', ['install', '--prefix', place, ...options, `${name}@${release}`])
  return join(place, 'node_modules', name, 'bin/node')
}

/** Runs the quick tests as a command of its own; true where they passed. */
async function passes(node: string): Promise<boolean> {
  const child = spawn(node, [QUICK], { stdio: 'inherit' })
  const pass = (signal: NodeJS.Signals) => child.kill(signal)
  process.once('SIGTERM', pass)
  const [code] = await once(child, 'exit')
  process.off('SIGTERM', pass)
  return code === 0
}

// node dist/test/lts.js: the quick tests on the other releases of Node that a hub may be run on.
for (const node of await Promise.all(RELEASES.map(nodeOf))) {
  process.stdout.write(`\nNode ${(await run(node, ['--version'])).stdout}`)
  if (!(await passes(node))) process.exitCode = 1
}
