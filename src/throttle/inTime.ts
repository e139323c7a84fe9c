import { ANSWER_LIMIT_MS } from './redisClient.js'

/**
 * What Redis answers; rejects where it does not within its limit. An answer counts that has come while this process had no time to
 * look at it: the limit that the client has for commands would be over before it reads.
 */
export async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const fail = () => reject(new Error(`no answer within ${ANSWER_LIMIT_MS} ms`))
    timer = setTimeout(() => setImmediate(fail), ANSWER_LIMIT_MS)
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}
