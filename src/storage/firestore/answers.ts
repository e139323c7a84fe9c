import { StorageUnavailable } from '../storage.js'
import { translate } from './errors.js'
import { integerOf, isObject } from './values.js'
import { type Answer, type Document, documentOf, NEVER, timeOf } from './wire.js'

/** A long answer may take its time, but not without a word. */
const SILENCE_LIMIT_MS = 4000

/** The messages of an answer on their way. */
export interface Messages {
  on(event: 'data', listen: (message: unknown) => void): unknown
  on(event: 'end', listen: () => void): unknown
  on(event: 'error', listen: (error: unknown) => void): unknown
  cancel(): void
}

/** The messages of an answer, all or until one was enough. It is given up where nothing comes for a while. */
export function collected(stream: Messages, isEnough: (message: unknown) => boolean = () => false) {
  return new Promise<readonly unknown[]>((resolve, reject) => {
    const messages: unknown[] = []
    const silence = setTimeout(() => {
      reject(new StorageUnavailable('Firestore does not answer.'))
      stream.cancel()
    }, SILENCE_LIMIT_MS)
    stream.on('data', (message) => {
      messages.push(message)
      silence.refresh()
      if (!isEnough(message)) return
      done()
      stream.cancel()
    })
    const done = () => {
      clearTimeout(silence)
      resolve(messages)
    }
    stream.on('end', done)
    stream.on('error', (error) => {
      clearTimeout(silence)
      reject(translate(error))
    })
  })
}

/** The documents of an answer, each of which is the member of that name of its message. */
export function answerOf(messages: readonly unknown[], member: 'found' | 'document'): Answer {
  const documents: Document[] = []
  let readTime = NEVER
  for (const message of messages) {
    if (!isObject(message)) continue
    const document = documentOf(message[member])
    if (document) documents.push(document)
    readTime = timeOf(message.readTime) ?? readTime
  }
  return { documents, readTime }
}

/** The number in the answer to a question for one. */
export function countOf([message]: readonly unknown[]): number {
  const result = isObject(message) ? message.result : null
  const counts = isObject(result) ? result.aggregateFields : null
  return integerOf(isObject(counts) ? counts.count : null) ?? 0
}
