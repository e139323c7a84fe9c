import type { Commit, Storage } from '../../src/storage/storage.js'

type Outcome = 'committed' | 'stale'

/** A storage whose commits and looks at the head a test watches, delays and breaks. */
export interface Faults extends Storage {
  readonly commits: Commit[]
  heads: number
  /** What happens to a commit; by default it passes. */
  onCommit: (commit: Commit, pass: () => Promise<Outcome>) => Promise<Outcome>
  /** What happens before anything is read. */
  onRead: () => Promise<void>
  /** What happens between reading and the answer. */
  onAnswer: () => Promise<void>
  onHead: () => Promise<void>
}

/** Lays faults over a storage; other connections to the same log are not touched by them. */
export function faulty(storage: Storage): Faults {
  const faults: Faults = {
    ...storage,
    commits: [],
    heads: 0,
    onCommit: (_, pass) => pass(),
    onRead: async () => {},
    onAnswer: async () => {},
    onHead: async () => {},
    async head() {
      faults.heads++
      await faults.onHead()
      return storage.head()
    },
    commit(commit) {
      faults.commits.push(commit)
      return faults.onCommit(commit, () => storage.commit(commit))
    },
    write(decide) {
      return new Promise((resolve, reject) => {
        let isDecided = false
        const outcome = storage.write(async (head) => {
          await faults.onHead()
          const commit = await decide(head)
          if (!commit) return null
          isDecided = true
          faults.commits.push(commit)
          return new Promise((pass, stop) => {
            const passed = () => {
              pass(commit)
              return outcome
            }
            faults.onCommit(commit, passed).then(resolve, (error: unknown) => {
              stop(error)
              reject(error)
            })
          })
        })
        outcome.then(
          (done) => isDecided || resolve(done),
          (error: unknown) => isDecided || reject(error)
        )
      })
    },
    rows(generation) {
      const rows = storage.rows(generation)
      const after =
        <A extends readonly unknown[], T>(read: (...args: A) => Promise<T>) =>
        async (...args: A) => {
          await faults.onRead()
          const answer = await read(...args)
          await faults.onAnswer()
          return answer
        }
      return {
        get: (table, id) => after(() => rows.get(table, id))(),
        getAll: (table, ids, options) => after(() => rows.getAll(table, ids, options))(),
        list: (table, index, key, options) => after(() => rows.list(table, index, key, options))(),
        count: (table, index, key, before) => after(() => rows.count(table, index, key, before))(),
        wholeList: (table, index, key, selection) => after(() => rows.wholeList(table, index, key, selection))(),
        outline: (table, index, key, selection) => after(() => rows.outline(table, index, key, selection))(),
        listPart: (table, index, key, part) => after(() => rows.listPart(table, index, key, part))(),
        getPage: (table, ids) => after(() => rows.getPage(table, ids))()
      }
    }
  }
  return faults
}

/** A door that a test opens. */
export interface Gate {
  readonly passed: Promise<void>
  open(): void
}

/** A gate that is closed. */
export function gate(): Gate {
  let open = () => {}
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { passed, open: () => open() }
}

/** Lets everything happen that can happen without anything from outside. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** What a promise has come to so far. */
export async function stateOf(promise: Promise<unknown>): Promise<'pending' | 'resolved' | 'rejected'> {
  await settled()
  const outcome = promise.then(
    () => 'resolved' as const,
    () => 'rejected' as const
  )
  return Promise.race([outcome, Promise.resolve().then(() => Promise.resolve().then(() => 'pending' as const))])
}

/** What a promise rejects with. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('It did not reject.')
}
