import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onceAfterwards } from '../support/afterwards.js'
import { type PrivateServer, startPrivateServer } from '../support/private-server.js'

/** A server with all its processes, that is ended, frozen and started again on what it has stored. */
export interface Machine {
  /** Ends every process of it at once, as a power cut would. */
  kill(): Promise<void>
  /** Stops every process of it; nothing that it was sent is answered before `thaw`. */
  freeze(): void
  thaw(): void
  /** Starts it again, and resolves once it serves. */
  start(): Promise<void>
}

const POLL_MS = 10

/**
 * Starts a server whose processes besides its first are known by their working directory, at or below `data`. It is killed
 * after the experiment that started it.
 */
export async function startMachine(data: string, run: () => Promise<PrivateServer>): Promise<Machine> {
  let server = await run()
  const processes = () => new Set([server.pid, ...processesOf(server.pid, data)])
  const signal = (name: NodeJS.Signals) => {
    for (const pid of processes()) trySignal(pid, name)
  }
  const kill = async () => {
    // Who has just been started by one of them is found by the next look.
    for (let left = running(processes()); left.length > 0; left = running(processes())) {
      for (const pid of left) trySignal(pid, 'SIGKILL')
      await sleep(POLL_MS)
    }
    await server.stop()
  }
  onceAfterwards(kill)
  return {
    kill,
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    async start() {
      server = await run()
    }
  }
}

/**
 * A directory for what an engine stores, which is there after the engine was killed, and gone after the experiment or when this
 * process ends, however it does.
 */
export async function engineDirectory(name: string): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), `hub-engine-${name}-`))
  await chmod(path, 0o777)
  const keeper = await startPrivateServer({
    command: 'sleep',
    args: ['infinity'],
    directory: path,
    ready: () => Promise.resolve()
  })
  onceAfterwards(async () => {
    trySignal(keeper.pid, 'SIGKILL')
    await keeper.stop()
  })
  return path
}

/** The descendants of a process, and those that work at or below a directory. */
function processesOf(root: number, directory: string): readonly number[] {
  const all = readdirSync('/proc').map(Number).filter(Number.isInteger)
  const parents = new Map(all.map((pid) => [pid, parentOf(pid)]))
  const isBelow = (pid: number | undefined): boolean => pid !== undefined && (pid === root || isBelow(parents.get(pid)))
  return all.filter((pid) => isBelow(pid) || `${placeOf(pid)}${sep}`.startsWith(`${directory}${sep}`))
}

function parentOf(pid: number): number | undefined {
  const [, , parent] = statOf(pid)
  return parent === undefined ? undefined : Number(parent)
}

/** Those that are neither gone nor only waited for. */
function running(pids: ReadonlySet<number>): readonly number[] {
  return [...pids].filter((pid) => !['Z', 'X', undefined].includes(statOf(pid)[1]))
}

/** Name, state, parent, ... of a process; nothing where it is gone. */
function statOf(pid: number): readonly string[] {
  try {
    const [, name = '', rest = ''] = /^\d+ \((.*)\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return [name, ...rest.split(' ')]
  } catch {
    return []
  }
}

function placeOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return ''
  }
}

function trySignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended meanwhile.
  }
}
