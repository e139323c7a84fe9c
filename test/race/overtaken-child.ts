import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { openStorage } from '../../src/app/databases.js'
import type { DbConfig } from '../../src/config/types.js'
import { rebuild } from '../../src/ledger/rebuild.js'
import { STEPS } from './overtaken.js'

// A process that rebuilds the read tables of a database, and stops itself before one of the steps as SIGSTOP stops it.
// node overtaken-child.js <the database's configuration as JSON> <the step> <events of a window>
const config: DbConfig = JSON.parse(process.argv[2] ?? '')
const step = z.enum(STEPS).parse(process.argv[3])
const storage = await openStorage(config)
let times = 0

const stopping = async () => {
  times++
  // The second window is one that continues another.
  if (times !== (step === 'apply' ? 2 : 1)) return
  process.send?.('stops')
  // What was said has to be out before.
  await setTimeout(100)
  process.kill(process.pid, 'SIGSTOP')
  await setTimeout(100)
}

const stopped = {
  ...storage,
  [step]: async (...given: readonly unknown[]) => {
    await stopping()
    return Reflect.apply(storage[step], storage, given)
  }
}
try {
  await rebuild(stopped, undefined, Number(process.argv[4]))
  process.send?.('switched')
} catch (error) {
  process.send?.(error instanceof Error ? `${error.name}: ${error.message}` : String(error))
}
await storage.close()
process.disconnect()
