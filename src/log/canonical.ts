const FEW_KEYS = 32

/** A canonical text, and what it is parsed to. */
export interface Canonical {
  readonly text: string
  readonly parsed: unknown
}

/**
 * JSON with sorted keys and no spaces: the same value is the same text everywhere (RFC 8785 for what JSON can hold).
 * Keys whose value is undefined are left out. By hand: the package canonicalize refuses the lone surrogates that clients may
 * send and logs may hold, and takes longer.
 */
export function canonicalJson(value: unknown): string {
  return canonical(value).text
}

/** The canonical text of a value and what parsing that text gives, key by key in the same order, without its being parsed. */
export function canonical(value: unknown): Canonical {
  const parsed = inOrder(value)
  if (parsed !== undefined) return { text: JSON.stringify(parsed), parsed }
  const text = written(value)
  return { text, parsed: JSON.parse(text) }
}

/**
 * A copy whose keys stand in canonical order, so that it is printed and compared as its canonical text; undefined where some key
 * has a place of its own in every object.
 */
function inOrder(value: unknown): unknown {
  // JSON has neither a negative zero nor anything that is not finite.
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null
  if (typeof value !== 'object' || value === null) return value ?? null
  if (Array.isArray(value)) {
    const items: unknown[] = []
    for (let i = 0; i < value.length; i++) {
      const item = inOrder(value[i])
      if (item === undefined) return undefined
      items.push(item)
    }
    return items
  }
  const copy: Record<string, unknown> = {}
  for (const key of sortedKeys(value)) {
    if (hasOwnPlace(key)) return undefined
    const given: unknown = Reflect.get(value, key)
    if (given === undefined) continue
    const item = inOrder(given)
    if (item === undefined) return undefined
    copy[key] = item
  }
  return copy
}

/** True for a key that an object does not keep where it was put: what looks like an index comes first, and `__proto__` is no key. */
function hasOwnPlace(key: string): boolean {
  const first = key.charCodeAt(0)
  return (first >= 0x30 && first <= 0x39) || key === '__proto__'
}

/** By UTF-16 code unit, as comparing strings does. Most objects have few keys, and to sort these in place makes no garbage. */
function sortedKeys(value: object): readonly string[] {
  const keys = Object.keys(value)
  if (keys.length > FEW_KEYS) return keys.sort()
  for (let i = 1; i < keys.length; i++) {
    const key = keys[i] ?? ''
    let at = i
    for (; at > 0; at--) {
      const before = keys[at - 1] ?? ''
      if (before < key) break
      keys[at] = before
    }
    keys[at] = key
  }
  return keys
}

/** The canonical text of anything. */
function written(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  let text = ''
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) text += (i === 0 ? '' : ',') + written(value[i])
    return `[${text}]`
  }
  for (const key of sortedKeys(value)) {
    const item: unknown = Reflect.get(value, key)
    if (item !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${written(item)}`
  }
  return `{${text}}`
}
