/** The value at a JSON Pointer; undefined where there is none. */
export function at(value: unknown, path: string): unknown {
  return keysOf(path).reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    value
  )
}

/** What an event holds, without the text that a path of its record leads to: some hold their record as `content`. */
export function withoutValue(data: unknown, path: string): unknown {
  return without(without(data, path), `/content${path}`)
}

/** The value with an empty text at the path, where there is one. */
function without(value: unknown, path: string): unknown {
  if (typeof at(value, path) !== 'string') return value
  const [key, ...rest] = keysOf(path)
  if (key === undefined) return ''
  const below = `/${rest.join('/')}`
  if (Array.isArray(value)) return value.map((one, i) => (String(i) === key ? inner(one, rest, below) : one))
  return { ...(value as object), [key]: inner(Reflect.get(value as object, key), rest, below) }
}

/** The name of the field that a path begins with. */
export function fieldOf(path: string): string {
  return path.split('/')[1] ?? ''
}

function inner(value: unknown, rest: readonly string[], below: string): unknown {
  return rest.length === 0 ? '' : without(value, below)
}

function keysOf(path: string): readonly string[] {
  return path
    .split('/')
    .slice(1)
    .map((key) => key.replace(/~1/g, '/').replace(/~0/g, '~'))
}
