import type { Comment } from './notices.js'
import type { TextPart } from './variables.js'

/** A name ends where neither a letter nor a digit follows, nor what names are joined with. */
const GOES_ON = /^[\p{L}\p{M}\p{N}_.-]/u
/** So many signs of a text are looked behind at most, as the hub does. */
const LOOKED_MOST = 200

/** A text in small letters that is as long as it was: but for the one that would be two. */
const small = (text: string) => text.replace(/[^İ]+/g, (part) => part.toLowerCase())

/** A text in parts, with each mention of one of these people on its own: `@` and the whole name, in whatever case, the longest first. */
export function mentionParts(written: string, people: readonly string[]): readonly TextPart[] {
  // Names are kept in composed form.
  const text = written.normalize('NFC')
  const folded = small(text)
  const longest = [...people].sort((a, b) => b.length - a.length)
  const isNamedAt = (name: string, at: number) =>
    folded.startsWith(small(name), at) && !GOES_ON.test(folded.slice(at + name.length, at + name.length + 2))
  const parts: TextPart[] = []
  let done = 0
  let looked = 0
  for (let at = text.indexOf('@'); at >= 0 && looked < LOOKED_MOST; at = text.indexOf('@', Math.max(at + 1, done))) {
    looked++
    const name = longest.find((one) => isNamedAt(one, at + 1))
    if (name === undefined) continue
    const end = at + 1 + name.length
    if (at > done) parts.push({ text: text.slice(done, at) })
    parts.push({ text: text.slice(at, end), name })
    done = end
  }
  return done < text.length ? [...parts, { text: text.slice(done) }] : parts
}

/** The names of those who have written here and of those who are known besides, each once. */
export const peopleOf = (comments: readonly Comment[], others: readonly string[]): readonly string[] => [
  ...new Set([...comments.flatMap(({ author }) => (author.id === '' ? [] : [author.name])), ...others])
]

/** What is typed of a name behind the last `@` of a text; null where none is begun. */
export function mentionBegun(before: string): string | null {
  return /(?:^|[^\p{L}\p{N}])@([^@\n]{0,60})$/u.exec(before)?.[1] ?? null
}

/** Those of whose name a word begins with what is typed, in the order of their names; none once a whole name is. */
export function peopleLike(typed: string, people: readonly string[]): readonly string[] {
  const wanted = typed.toLowerCase()
  const isMeant = (name: string) => name.startsWith(wanted) || name.includes(` ${wanted}`)
  return people
    .filter((name) => isMeant(name.toLowerCase()) && name.toLowerCase() !== wanted)
    .sort((a, b) => a.localeCompare(b))
}
