/** What `make` makes of a key, once for each: of keys with the same name, of the first. */
export function remembered<K, V>(make: (key: K) => V, nameOf?: (key: K) => unknown): (key: K) => V {
  const known = new Map<unknown, V>()
  return (key) => {
    const name = nameOf ? nameOf(key) : key
    const found = known.get(name)
    if (found !== undefined) return found
    const fresh = make(key)
    known.set(name, fresh)
    return fresh
  }
}
