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
