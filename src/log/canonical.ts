/**
 * JSON with sorted keys and no spaces: the same value is the same text everywhere (RFC 8785 for what JSON can hold).
 * Keys whose value is undefined are left out.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${Array.from(value, (item) => canonicalJson(item ?? null)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  const parts: string[] = []
  // Sorting without a comparison of one's own is by UTF-16 code unit, as it has to be.
  for (const key of Object.keys(value).sort()) {
    const item: unknown = Reflect.get(value, key)
    if (item !== undefined) parts.push(`${JSON.stringify(key)}:${canonicalJson(item)}`)
  }
  return `{${parts.join(',')}}`
}
