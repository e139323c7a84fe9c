import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const STOP_LIMIT_MS = 10_000

/** What a process has used since it started. */
export interface Usage {
  readonly cpu_us: number
  readonly rss_bytes: number
  readonly peak_rss_bytes: number
  readonly heap_bytes: number
}

/** A server in a process of its own. */
export interface Child {
  readonly port: number
  usage(): Promise<Usage>
  /** Ends the process in good order. */
  stop(): Promise<void>
}

export interface ChildSpec {
  readonly name: string
  readonly file: URL
  /** What the server is opened with; plain data. */
  readonly input: unknown
  /** The directory that its CPU profile goes to; undefined for none. */
  readonly profile: string | undefined
  readonly signal: AbortSignal
}

/** What `npm start` and the `hub` command give Node. */
const SMALL_HEAP = ['--max-semi-space-size=8']

/** Starts a server file (see `serve`) and waits until it listens. */
export async function startChild({ name, file, input, profile, signal }: ChildSpec): Promise<Child> {
  const child = fork(file, {
    serialization: 'advanced',
    execArgv: [...SMALL_HEAP, '--expose-gc', ...(profile === undefined ? [] : profiling(name, profile))]
  })
  const kill = () => void child.kill('SIGKILL')
  signal.addEventListener('abort', kill)
  const exited = once(child, 'exit').finally(() => signal.removeEventListener('abort', kill))
  if (signal.aborted) kill()

  const ask = async <T>(question: unknown): Promise<T> => {
    // A child that is gone cannot be asked; what is said of that is how it ended.
    child.send({ question }, () => {})
    const ended = exited.then(([code, by]) => {
      throw new Error(`${file.pathname} ended with ${code ?? by}.`)
    })
    // The other side of this pair is `serve`, which answers each question with what it is asked for.
    const [answer] = (await Promise.race([once(child, 'message'), ended])) as [T]
    return answer
  }

  const port = await ask<number>(input)
  return {
    port,
    usage: () => ask<Usage>('usage'),
    async stop() {
      if (child.connected) child.disconnect()
      const timer = setTimeout(kill, STOP_LIMIT_MS)
      await exited
      clearTimeout(timer)
    }
  }
}

function profiling(name: string, directory: string): string[] {
  // A directory for each, as its threads write a profile too, whose name has the number of the thread.
  return ['--cpu-prof', `--cpu-prof-dir=${join(directory, name)}`]
}
