/**
 * The version of an account or a group, as directories are told it: the revision of its row and, where it names others, a mark of which
 * these are, in whatever order. Rows of the named change without the row that names them: a group does not know who is in it. What the
 * named are called is told with it, and has a mark of its own behind.
 */
export function versionOf(revision: number, named: readonly string[], called: readonly string[] = []): string {
  const marks = [named, called].filter(({ length }) => length > 0).map(markOf)
  return [revision, ...marks].join('-')
}

/**
 * What tells texts apart by all odds, in whatever order: the sums of two hashes of each, as FNV has them with different factors, whose
 * bits are mixed before: the sum of texts that exchange their ends is another one then.
 */
function markOf(texts: readonly string[]): string {
  let [one, other] = [0, 0]
  for (const text of texts) {
    let [a, b] = [0x811c9dc5, 0x41c6ce57]
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      a = Math.imul(a ^ code, 0x01000193)
      b = Math.imul(b ^ code, 0x85ebca6b)
    }
    one = (one + mixed(a)) | 0
    other = (other + mixed(b)) | 0
  }
  return [one, other].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('')
}

/** The last step of MurmurHash3: each bit of the result depends on all. */
function mixed(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35)
  return twice ^ (twice >>> 16)
}
