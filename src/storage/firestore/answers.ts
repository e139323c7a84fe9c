import { StorageUnavailable } from '../storage.js'
import { translate } from './errors.js'
import { integerOf, isObject, textOf } from './values.js'
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

/**
 * The messages of an answer, up to the first that is `enough`: the rest is not read. It is given up where nothing comes for a
 * while.
 */
export function collected(
  stream: Messages,
  enough: (message: unknown) => boolean = () => false
): Promise<readonly unknown[]> {
  return new Promise((resolve, reject) => {
    const messages: unknown[] = []
    const silence = setTimeout(() => {
      reject(new StorageUnavailable('Firestore does not answer.'))
      stream.cancel()
    }, SILENCE_LIMIT_MS)
    stream.on('data', (message) => {
      messages.push(message)
      silence.refresh()
      if (!enough(message)) return
      clearTimeout(silence)
      resolve(messages)
      stream.cancel()
    })
    stream.on('end', () => {
      clearTimeout(silence)
      resolve(messages)
    })
    stream.on('error', (error) => {
      clearTimeout(silence)
      reject(translate(error))
    })
  })
}

/** The documents of an answer, or where they have more text than `bytesMax`, the first of them up to the one that is too much. */
export async function answered(
  stream: Messages,
  member: 'found' | 'document',
  bytesMax = Number.POSITIVE_INFINITY
): Promise<Answer> {
  let bytes = 0
  const enough = (message: unknown) => {
    const document = documentOf(isObject(message) ? message[member] : null)
    bytes += document ? textBytes(document) : 0
    return bytes > bytesMax
  }
  const answer = answerOf(await collected(stream, Number.isFinite(bytesMax) ? enough : undefined), member)
  return { ...answer, isCut: bytes > bytesMax }
}

/** The documents of an answer, each of which is the member of that name of its message. */
function answerOf(messages: readonly unknown[], member: 'found' | 'document'): Answer {
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

/** How many bytes the texts of a document have that stand in it alone. */
export function textBytes({ fields }: Document): number {
  return Object.values(fields).reduce<number>((sum, field) => sum + Buffer.byteLength(textOf(field) ?? ''), 0)
}

/** The number in the answer to a question for one. */
export function countOf([message]: readonly unknown[]): number {
  const result = isObject(message) ? message.result : null
  const counts = isObject(result) ? result.aggregateFields : null
  return integerOf(isObject(counts) ? counts.count : null) ?? 0
}
