import type { Answer, Entry, F, Sent } from './history.js'

/** How an operation ended: exactly one of these is to be called, once. */
export interface Handle<Of extends F> {
  readonly ok: (answer: Answer<Of>) => void
  /** It certainly did not happen. */
  readonly fail: (error: string, status?: number) => void
  /** Nobody knows whether it happened, or ever will. */
  readonly info: (error: string, status?: number) => void
}

export interface Asked {
  readonly token?: string | undefined
  readonly hub?: string | undefined
}

/** Keeps what clients ask and are answered, in the order in which it happens. */
export interface Recorder {
  readonly history: readonly Entry[]
  invoke<Of extends F>(process: number, f: Of, sent: Sent<Of>, asked?: Asked): Handle<Of>
  /** Something that is done to the hubs. */
  fault(what: string): void
}

/** A recorder; `now` is a clock in nanoseconds that never goes back. */
export function recorder(now: () => number): Recorder {
  const history: Entry[] = []
  const add = (entry: Omit<Entry, 'index' | 'time'>) =>
    void history.push({ index: history.length, time: now(), ...entry })
  return {
    history,
    invoke(process, f, sent, asked = {}) {
      const one = { process, f, ...asked }
      add({ ...one, type: 'invoke', value: sent })
      return {
        ok: (answer) => add({ ...one, type: 'ok', value: { ...sent, ...answer } }),
        fail: (error, status) => add({ ...one, type: 'fail', value: sent, error, ...(status && { status }) }),
        info: (error, status) => add({ ...one, type: 'info', value: sent, error, ...(status && { status }) })
      }
    },
    fault: (what) => add({ type: 'info', process: 'nemesis', f: 'fault', value: what })
  }
}
