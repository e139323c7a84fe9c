/**
 * The version of an account or a group, as directories are told it: the revision of its row and, where it names others, a mark of which
 * these are, in whatever order. Rows of the named change without the row that names them: a group does not know who is in it. What the
 * named are called is told with it, and has a mark of its own behind.
 */
export function versionOf(revision: number, named: readonly string[], called: readonly string[] = []): string {
  const marks = [named, called].filter(({ length }) => length > 0).map((texts) => markOf(texts.toSorted()))
  return [revision, ...marks].join('-')
}

/** What tells lists of texts apart by all odds: two hashes as FNV has it with different factors, of each text with its end. */
function markOf(texts: readonly string[]): string {
  let [one, other] = [0x811c9dc5, 0x41c6ce57]
  for (const text of texts)
    for (let i = 0; i <= text.length; i++) {
      const code = i < text.length ? text.charCodeAt(i) : 0
      one = Math.imul(one ^ code, 0x01000193)
      other = Math.imul(other ^ code, 0x85ebca6b)
    }
  return [one, other].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('')
}
