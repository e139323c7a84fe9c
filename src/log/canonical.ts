/**
 * JSON with sorted keys and no spaces: the same value is the same text everywhere (RFC 8785 for what JSON can hold).
 * Keys whose value is undefined are left out.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  const parts: string[] = []
  for (const [key, item] of Object.entries(value).sort(byKey)) {
    if (item !== undefined) parts.push(`${JSON.stringify(key)}:${canonicalJson(item)}`)
  }
  return `{${parts.join(',')}}`
}

function byKey([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0
}
