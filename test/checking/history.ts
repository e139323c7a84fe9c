import { z } from 'zod'

/** What clients do, each with the value that it is sent with and the value of its answer. */
const values = {
  /** A change of a record; `content` is unique to the change, and null deletes it. */
  write: {
    invoke: z.object({ id: z.string(), content: z.string().nullable() }),
    ok: z.object({ position: z.int() })
  },
  /** Where the record's last change stands, if the answer says; `content` is null for one that is not there. */
  read: {
    invoke: z.object({ id: z.string() }),
    ok: z.object({ content: z.string().nullable(), position: z.int().optional() })
  },
  /** All records of a kind, by id. */
  list: { invoke: z.object({ kind: z.string() }), ok: z.object({ contents: z.record(z.string(), z.string()) }) },
  /** Where the log ends. */
  head: { invoke: z.object({}), ok: z.object({ position: z.int() }) },
  /** One delivery: the events told, and how far the follower has come with it. Some are promised at least once, others once. */
  feed: {
    invoke: z.object({ connection: z.string(), after: z.int(), mayRepeat: z.boolean().optional() }),
    ok: z.object({ positions: z.array(z.int()), through: z.int() })
  },
  /** A request that changes nothing, for its token alone. */
  use: { invoke: z.object({}), ok: z.object({}) },
  issue: { invoke: z.object({ token: z.string() }), ok: z.object({ position: z.int().optional() }) },
  revoke: { invoke: z.object({ token: z.string() }), ok: z.object({ position: z.int().optional() }) },
  /** Holds so many tokens of a budget, or as many as are left where that is less. */
  reserve: {
    invoke: z.object({ budget: z.string(), limit: z.int(), id: z.string(), tokens: z.int() }),
    ok: z.object({ position: z.int().optional() })
  },
  /** What is held under an id is given back, and so many are used. */
  settle: {
    invoke: z.object({ budget: z.string(), id: z.string(), used: z.int() }),
    ok: z.object({ position: z.int().optional() })
  },
  /** Uses a secret that can be used once. */
  redeem: { invoke: z.object({ secret: z.string() }), ok: z.object({ position: z.int().optional() }) }
} as const

export type F = keyof typeof values
export type Sent<Of extends F> = z.infer<(typeof values)[Of]['invoke']>
export type Answer<Of extends F> = z.infer<(typeof values)[Of]['ok']>

/** What some refusals say of the state: no such token, a budget without any left, a secret that was used. */
export const UNAUTHORIZED = 'unauthorized'
export const SPENT = 'spent'

const entrySchema = z.object({
  index: z.int(),
  /** Nanoseconds since the run began. */
  time: z.int(),
  /** `fail`: it certainly did not happen; `info`: nobody knows. */
  type: z.enum(['invoke', 'ok', 'fail', 'info']),
  /** A client, which has one operation at a time and none behind one of unknown outcome; `nemesis` makes the faults. */
  process: z.union([z.int(), z.literal('nemesis')]),
  f: z.string(),
  value: z.unknown(),
  /** The token that a request shows. */
  token: z.string().optional(),
  /** Which hub is asked. */
  hub: z.string().optional(),
  error: z.string().optional(),
  /** The status of an answer that is an error. */
  status: z.int().optional()
})
export type Entry = Readonly<z.infer<typeof entrySchema>>

/** What was asked and what came of it; `from` and `to` are indexes in the history, `to` without end where the outcome is not known. */
export interface Operation<Of extends F = F> {
  readonly f: Of
  readonly process: number
  readonly from: number
  readonly to: number
  readonly sent: Sent<Of>
  /** Null for what failed, and where nobody knows. */
  readonly answer: Answer<Of> | null
  readonly outcome: 'ok' | 'fail' | 'info'
  readonly token?: string | undefined
  readonly error?: string | undefined
  readonly status?: number | undefined
}

/** The operations of one kind. */
export function operationsOf<Of extends F>(operations: readonly Operation[], f: Of): readonly Operation<Of>[] {
  return operations.filter((one): one is Operation<Of> => one.f === f)
}

/** The operations of a history in the order in which they were sent; throws for what is no history. */
export function operationsIn(history: readonly Entry[]): readonly Operation[] {
  const open = new Map<number, Operation>()
  const done = new Map<number, Operation>()
  for (const [index, { type, process, f, value, token, error, status }] of history.entries()) {
    if (process === 'nemesis') continue
    const begun = open.get(process)
    if (type === 'invoke') {
      if (begun) throw new Error(`Process ${process} is not done at entry ${index}.`)
      const sent = schemasOf(f).invoke.parse(value)
      const operation = {
        f: f as F,
        process,
        from: index,
        to: Infinity,
        sent,
        answer: null,
        outcome: 'info',
        token
      } as const
      open.set(process, operation)
      done.set(index, operation)
      continue
    }
    if (begun?.f !== f) throw new Error(`Nothing is to be answered at entry ${index}.`)
    open.delete(process)
    const answer = type === 'ok' ? schemasOf(f).ok.parse(value) : null
    done.set(begun.from, { ...begun, outcome: type, answer, error, status, to: type === 'info' ? Infinity : index })
  }
  return [...done.values()]
}

function schemasOf(f: string): { readonly invoke: z.ZodType<Sent<F>>; readonly ok: z.ZodType<Answer<F>> } {
  const known = Object.entries(values).find(([name]) => name === f)?.[1]
  if (!known) throw new Error(`There is no operation ${f}.`)
  return known
}

/** A history from its lines of JSON. */
export function parseHistory(text: string): readonly Entry[] {
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => entrySchema.parse(JSON.parse(line)))
}

/** A history as lines of JSON, as Jepsen's checkers read them. */
export function historyText(history: readonly Entry[]): string {
  return history.map((entry) => `${JSON.stringify(entry)}\n`).join('')
}
