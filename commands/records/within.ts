/**
 * True where a record is another one, or stands below it, as `parentOf` says what each stands below; and where those above it go round
 * in a circle, as an older hub may have left them: below that nothing can be put.
 */
export async function isWithin(
  inner: string | null,
  id: string,
  parentOf: (id: string) => Promise<string | null>
): Promise<boolean> {
  const seen = new Set([id])
  for (let above = inner; above !== null; above = await parentOf(above)) {
    if (seen.has(above)) return true
    seen.add(above)
  }
  return false
}

/** True where the way up from a record, by what `parentOf` says each stands below, leads back to it. */
export function isInItself(id: string, parentOf: (id: string) => string | null): boolean {
  const seen = new Set<string>()
  let above = parentOf(id)
  for (; above !== null && above !== id && !seen.has(above); above = parentOf(above)) seen.add(above)
  return above === id
}

/**
 * The same as `isWithin` of any of these, once each stands below what `parents` says, and what else there is where `parentOf` says.
 * However many share a way up, each record of it is looked at once.
 */
export async function isAnyWithin(
  parents: ReadonlyMap<string, string | null>,
  parentOf: (id: string) => Promise<string | null>
): Promise<boolean> {
  const seen = new Set<string>()
  const once = async (id: string) => {
    // The way up from there was gone before, and has an end.
    if (seen.has(id)) return null
    seen.add(id)
    const parent = parents.get(id)
    return parent === undefined ? parentOf(id) : parent
  }
  for (const [id, parent] of parents) if (await isWithin(parent, id, once)) return true
  return false
}
