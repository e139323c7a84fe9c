import { migrate } from '../../migrations/migrate.js'
import { openStorage } from '../../src/app/databases.js'
import { openLedger } from '../../src/app/openLedger.js'
import type { DbConfig } from '../../src/config/types.js'
import type { Ledger } from '../../src/ledger/ledger.js'
import type { Storage } from '../../src/storage/storage.js'
import type { Answer, Task } from './process.js'

// Another process on the same database: does what it is told over IPC, and answers.
// node worker.js <the database's configuration as JSON>
const config: DbConfig = JSON.parse(process.argv[2] ?? '')
const storage = await openStorage(config)
let ledger: Promise<Ledger> | undefined

/** The storage, but that nothing is recorded as done: the process ends first. */
const lethal: Storage = {
  ...storage,
  schema: { ...storage.schema, record: async () => void process.kill(process.pid, 'SIGKILL') }
}

async function perform(task: Task): Promise<number> {
  if (task.do === 'migrate') return (await migrate(storage)).length
  if (task.do === 'migrate and die') return (await migrate(lethal)).length
  if (task.do === 'hold') {
    return storage.schema.exclusively(async () => {
      send({ id: task.id, isHeld: true })
      await new Promise((resolve) => setTimeout(resolve, 60_000))
      return 0
    })
  }
  ledger ??= openLedger(storage, () => null)
  const { run } = await ledger
  const outcomes = await Promise.all(
    task.commands.map(async (command) => {
      const { position } = await run(command, task.agent)
      if (task.isReported) send({ id: task.id, done: 'id' in command ? command.id : '' })
      return position
    })
  )
  return Math.max(0, ...outcomes)
}

function send(answer: Answer): void {
  process.send?.(answer)
}

process.on('message', (task: Task) => {
  perform(task).then(
    (value) => send({ id: task.id, value }),
    (error: Error) => send({ id: task.id, error: error.message, name: error.name })
  )
})
process.on('disconnect', () => process.exit())
send({ id: 0, value: 0 })
