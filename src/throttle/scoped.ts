import { hash } from 'node:crypto'
import { BEHIND_TENANT, isOfEverybody, type Throttle } from './throttle.js'

/**
 * The same store, in which a tenant has keys and tickets of its own: nobody is blocked, and no ticket is good, anywhere but where
 * it was earned. Keys of `throttleKeyOfTenants` stay what they are.
 */
export function scopedThrottle<T extends Throttle>(throttle: T, tenant: string): T {
  const start = tenant + BEHIND_TENANT
  const own = (key: string) => (isOfEverybody(key) ? key : start + key)
  const bare = (key: string) => (isOfEverybody(key) ? key : key.slice(start.length))
  const ticket = (text: string) => hash('sha256', start + text)
  return {
    ...throttle,
    check: (key) => throttle.check(own(key)),
    async fail(counters) {
      const failure = await throttle.fail(counters.map((one) => ({ ...one, key: own(one.key) })))
      return { ...failure, blocks: failure.blocks.map(bare) }
    },
    async blocks(max, isWanted = () => true) {
      const blocks = await throttle.blocks(max, (key) => key.startsWith(start) && isWanted(bare(key)))
      return blocks.map((one) => ({ ...one, key: bare(one.key) }))
    },
    clear: (key) => throttle.clear(own(key)),
    tickets: {
      issue: (text, tokenId) => throttle.tickets.issue(ticket(text), tokenId),
      take: (text) => throttle.tickets.take(ticket(text))
    },
    texts: {
      get: (key) => throttle.texts.get(start + key),
      set: (key, text, seconds) => throttle.texts.set(start + key, text, seconds),
      claim: (key, seconds) => throttle.texts.claim(start + key, seconds),
      count: (key, seconds) => throttle.texts.count(start + key, seconds),
      delete: (key) => throttle.texts.delete(start + key)
    }
  }
}
