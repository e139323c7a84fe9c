import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Command } from '../../commands/index.js'
import type { DbConfig } from '../../src/config/types.js'
import type { CommandOrigin } from '../../src/ledger/ledger.js'

/** What a worker process is told to do. */
export type Task = { readonly id: number } & (
  | { readonly do: 'migrate' }
  /** Ends itself as a power cut would, when everything is set up and nothing says so yet. */
  | { readonly do: 'migrate and die' }
  /** Takes the lock for exclusive work and keeps it. */
  | { readonly do: 'hold' }
  /** Runs commands at once; where `isReported`, each is reported as soon as it is acknowledged. */
  | {
      readonly do: 'run'
      readonly commands: readonly Command[]
      readonly agent: CommandOrigin
      readonly isReported: boolean
    }
)

/** What a worker process answers to a task. */
export type Answer = { readonly id: number } & (
  | { readonly value: number }
  | { readonly error: string; readonly name: string }
  | { readonly done: string }
  | { readonly isHeld: true }
)

/** Another process that works on the same log. */
export interface Worker {
  /** Resolves with how many migrations it applied. */
  migrate(): Promise<number>
  /** Migrates up to the moment before that is recorded, and ends the process there as a power cut would. */
  dieMigrating(): Promise<void>
  /** Resolves when the worker has the lock for exclusive work. */
  hold(): Promise<void>
  /** Runs commands at once; rejects with the message of the first that is refused. */
  run(commands: readonly Command[], agent: CommandOrigin): Promise<number>
  /** Runs commands at once and tells the id of each that is acknowledged, until the process ends or all are done. */
  report(commands: readonly Command[], agent: CommandOrigin, acknowledged: (id: string) => void): Promise<void>
  /** Ends the process as a power cut would. */
  kill(): Promise<void>
}

/** Starts a process on a database. */
export async function startWorker(config: DbConfig): Promise<Worker> {
  const path = fileURLToPath(new URL('worker.js', import.meta.url))
  const child: ChildProcess = fork(path, [JSON.stringify(config)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const waiting = new Map<number, (answer: Answer | null) => void>()
  let tasks = 0
  child.on('message', (answer: Answer) => waiting.get(answer.id)?.(answer))
  child.on('exit', () => {
    for (const tell of waiting.values()) tell(null)
  })

  const perform = <T>(id: number, take: (answer: Answer, settle: (value: T) => void) => void): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      waiting.set(id, (answer) => {
        if (!answer) reject(new Error('The process has ended.'))
        else if ('error' in answer) reject(Object.assign(new Error(answer.error), { name: answer.name }))
        else take(answer, resolve)
      })
    })
  const value = (answer: Answer, settle: (value: number) => void) => {
    if ('value' in answer) settle(answer.value)
  }
  const tell = (task: Task) => child.send(task)

  await perform<number>(0, value)
  return {
    migrate() {
      const id = ++tasks
      tell({ id, do: 'migrate' })
      return perform(id, value)
    },
    async dieMigrating() {
      const ended = once(child, 'exit')
      tell({ id: ++tasks, do: 'migrate and die' })
      await ended
    },
    hold() {
      const id = ++tasks
      tell({ id, do: 'hold' })
      return perform<void>(id, (answer, settle) => {
        if ('isHeld' in answer) settle()
      })
    },
    run(commands, agent) {
      const id = ++tasks
      tell({ id, do: 'run', commands, agent, isReported: false })
      return perform(id, value)
    },
    async report(commands, agent, acknowledged) {
      const id = ++tasks
      tell({ id, do: 'run', commands, agent, isReported: true })
      await perform<void>(id, (answer, settle) => {
        if ('done' in answer) acknowledged(answer.done)
        else settle()
      })
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    }
  }
}
