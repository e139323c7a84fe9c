import { createHash } from 'node:crypto'

const LONGEST_NAME = 64
const HASH_DIGITS = 10
const PLAIN = /^[a-zA-Z0-9_-]+$/

/**
 * The names under which the tools of the server at `index` are offered to models, as a map to the server's own names.
 * A name that providers would not take is shortened and marked with a hash of the whole, so that it stays the same
 * from step to step; of tools that share a name the first counts.
 */
export function offeredNames(index: number, names: readonly string[]): ReadonlyMap<string, string> {
  const prefix = `hubmcp__${index}__`
  const fits = (name: string) => PLAIN.test(name) && prefix.length + name.length <= LONGEST_NAME
  const own = [...new Set(names)]
  const taken = new Set(own.filter(fits).map((name) => prefix + name))
  return new Map(
    own.map((name) => {
      if (fits(name)) return [prefix + name, name]
      const offered = shortened(prefix, name, taken)
      taken.add(offered)
      return [offered, name]
    })
  )
}

function shortened(prefix: string, name: string, taken: ReadonlySet<string>): string {
  const readable = name.replace(/[^a-zA-Z0-9_-]+/g, '_')
  for (let attempt = 0; ; attempt++) {
    const hash = createHash('sha256').update(`${attempt}:${name}`).digest('hex').slice(0, HASH_DIGITS)
    const offered = `${prefix}${readable.slice(0, LONGEST_NAME - prefix.length - hash.length - 1)}_${hash}`
    if (!taken.has(offered)) return offered
  }
}
