import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { constants } from 'node:fs'
import { access, chown, writeFile } from 'node:fs/promises'
import { createServer, Socket } from 'node:net'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { slowness } from './patience.js'

export interface PrivateServer {
  /** The process of the server itself, for tests that stop or kill it. */
  readonly pid: number
  /** Stops the server and removes its directory; harmless when it is gone already. */
  stop(): Promise<void>
}

export interface PrivateServerSpec {
  readonly command: string
  readonly args: readonly string[]
  /** Exists, is the server's working directory, and is removed after it. */
  readonly directory: string
  /** The account to run under, where it must be another one. */
  readonly user?: { readonly uid: number; readonly gid: number }
  /** Resolves once the server serves; rejects as long as it does not. */
  ready(): Promise<void>
  /** How long it may take until then; 15 s unless it is said. */
  readonly limit_ms?: number
}

// The shell stands between, so that the server ends and its directory goes however this process ends, SIGKILL included:
// the end of our side of its stdin is the signal. It is in a group of its own, out of reach of Ctrl-C and of a killed group.
const SUPERVISOR = `
exec 3<&0
"$@" >server.log 2>&1 3<&- &
server=$!
echo "$server"
( cat <&3; kill -INT "$server"; kill -CONT "$server"; sleep 5; kill -KILL "$server" ) >/dev/null 2>&1 &
watcher=$!
wait "$server"
kill "$watcher"
tail -c 2000 server.log
directory=$(pwd)
cd / && rm -rf "$directory"
`

const READY_LIMIT_MS = 15_000
/** The first and the end of the ports that private servers are given: Linux gives whoever asks for any one from 32768 on. */
const [FIRST_PORT, PORTS_END] = [20_000, 32_768]
const PORTS_TRIED = 100
const STOP_LIMIT_MS = 8_000

/**
 * Starts a server and waits until it serves; rejects with the end of its log when it does not within its limit, which is
 * longer on a busy machine.
 */
export async function startPrivateServer(spec: PrivateServerSpec): Promise<PrivateServer> {
  const { limit_ms = READY_LIMIT_MS } = spec
  const shell = spawn('/bin/sh', ['-c', SUPERVISOR, 'supervisor', spec.command, ...spec.args], {
    cwd: spec.directory,
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
    ...spec.user
  })
  const exited = once(shell, 'exit')
  // An unread failure to start the shell would end this process; the wait below reports it.
  exited.catch(() => undefined)
  let output = ''
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  shell.unref()
  for (const pipe of [shell.stdin, shell.stdout]) if (pipe instanceof Socket) pipe.unref()

  const stop = async () => {
    // While it is awaited, the shell keeps this process alive; otherwise it never does.
    shell.ref()
    shell.stdin.end()
    if (shell.exitCode === null && shell.signalCode === null) {
      await Promise.race([exited, sleep(STOP_LIMIT_MS, undefined, { ref: false })])
    }
    shell.unref()
  }
  const started = Date.now()
  for (;;) {
    if (shell.exitCode !== null) throw new Error(`${spec.command} ended at once: ${output}`)
    try {
      await spec.ready()
      break
    } catch (error) {
      if (Date.now() > started + limit_ms * slowness()) {
        await stop()
        throw new Error(`${spec.command} did not serve within ${limit_ms} ms: ${output}`, { cause: error })
      }
      await sleep(20)
    }
  }
  return { pid: Number.parseInt(output, 10), stop }
}

/** Writes files that only the account of a server, or without one this process, can read. */
export async function writePrivateFiles(
  directory: string,
  files: Readonly<Record<string, string>>,
  user?: { readonly uid: number; readonly gid: number }
): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const path = join(directory, name)
    await writeFile(path, text, { mode: 0o600 })
    if (user !== undefined) await chown(path, user.uid, user.gid)
  }
}

/** The path of a program on PATH or in one of the other directories, the first that may be executed, or null. */
export async function findBinary(name: string, otherDirectories: readonly string[] = []): Promise<string | null> {
  for (const directory of [...(process.env.PATH ?? '').split(delimiter), ...otherDirectories]) {
    if (directory === '') continue
    const path = join(directory, name)
    if (
      await access(path, constants.X_OK).then(
        () => true,
        () => false
      )
    )
      return path
  }
  return null
}

/**
 * A TCP port of the loopback address that was free a moment ago and that no other test of this run is given. It is below those that the
 * system gives to whoever asks for any: one of these another server of the tests could get in between.
 */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < PORTS_TRIED; tried++) {
    const port = randomInt(FIRST_PORT, PORTS_END)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    if (await claim(port)) return port
  }
  throw new Error(`None of ${PORTS_TRIED} ports is free.`)
}

const claimed = new Set<number>()

/** False for a port that somebody else has: a server that starts on it later would be taken for theirs, which answers there already. */
async function claim(port: number): Promise<boolean> {
  if (claimed.has(port)) return false
  claimed.add(port)
  const { HUB_TEST_SHARED: shared } = process.env
  if (shared === undefined) return true
  return writeFile(join(shared, `port-${port}`), '', { flag: 'wx' }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
      throw error
    }
  )
}
