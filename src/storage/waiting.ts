import type { Schema, Storage } from './storage.js'

const PATIENCE_MS = 5000

type What = NonNullable<Parameters<Schema['exclusively']>[1]>

const doings: Readonly<Record<What, string>> = {
  erase: 'erases something from this log',
  migrate: 'migrates this database',
  move: 'moves this log',
  tenant: 'makes a tenant of this hub',
  seal: 'changes the key that seals this log',
  verify: 'verifies the read tables of this database',
  rebuild: 'rebuilds the read tables of this database'
}

/** A storage that says what it waits for, where another process does the same thing for more than `patience_ms`. */
export function tellingWaits(storage: Storage, notice: (text: string) => void, patience_ms = PATIENCE_MS): Storage {
  const { schema } = storage
  return {
    ...storage,
    schema: {
      ...schema,
      async exclusively(work, what = 'migrate', signal) {
        const timer = setTimeout(() => notice(`Waiting for another process that ${doings[what]}…`), patience_ms)
        try {
          return await schema.exclusively(
            () => {
              clearTimeout(timer)
              return work()
            },
            what,
            signal
          )
        } finally {
          clearTimeout(timer)
        }
      }
    }
  }
}
