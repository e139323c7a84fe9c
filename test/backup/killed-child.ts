import { NO_KEYS } from '../../src/log/chain.js'
import type { Storage } from '../../src/storage/storage.js'
import { writeBackup } from '../../src/trust/backup/write.js'
import { NOW, newPlace } from './place.js'

// Writes a backup of a log whose second page never comes, and says when it has come so far.
const [, , file = ''] = process.argv
const { ledger, folder, remove } = await newPlace()
await remove()
await folder(5)
const { storage } = ledger
const stalling: Storage = {
  ...storage,
  readLog(after, limit) {
    if (after === 0) return storage.readLog(0, Math.min(4, limit))
    process.stdout.write('half')
    setInterval(() => {}, 1000)
    return new Promise(() => {})
  }
}
await writeBackup(stalling, { file, keys: NO_KEYS, now: NOW })
