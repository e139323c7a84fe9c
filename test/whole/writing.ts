import { setTimeout as sleep } from 'node:timers/promises'
import { type Call, withId } from './client.js'

const CLIENTS = 4
const POLL_MS = 5

/** Clients that go on creating folders. */
export interface Writing {
  /** The ids of the folders whose creation the hub has acknowledged so far. */
  readonly acknowledged: readonly string[]
  /** Resolves once so many are; rejects where the hub is gone before. */
  until(count: number): Promise<void>
  /** Ends it, and resolves once no request is in flight. */
  stop(): Promise<unknown>
  /** Resolves once every client has ended: after `stop`, or because the hub is gone. */
  readonly done: Promise<unknown>
}

/** Creates folders in a collection until it is stopped or the hub is gone; with a pause after those that are `quick`. */
export function writing(call: Call, token: string, collectionId: string, quick = Number.POSITIVE_INFINITY): Writing {
  const acknowledged: string[] = []
  let isOver = false
  const write = async () => {
    while (!isOver) {
      const answer = await call(token, 'POST', `/collections/${collectionId}/folders`, { name: 'Folder' })
      acknowledged.push(withId.parse(answer).id)
      if (acknowledged.length > quick) await sleep(4 * POLL_MS)
    }
  }
  const done = Promise.allSettled(Array.from({ length: CLIENTS }, write)).finally(() => {
    isOver = true
  })
  return {
    acknowledged,
    async until(count) {
      while (acknowledged.length < count) {
        if (isOver) throw new Error(`Only ${acknowledged.length} of ${count} writes were acknowledged.`)
        await sleep(POLL_MS)
      }
    },
    stop() {
      isOver = true
      return done
    },
    done
  }
}
