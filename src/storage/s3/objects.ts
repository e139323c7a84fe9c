const SHA256 = /^[0-9a-f]{64}$/

/** The name of the object that holds the blob of a key: the one place that says so. */
export function objectName(prefix: string, key: string): string {
  return `${prefix}/${key}`
}

/** The key of the blob that an object holds; null for what is no blob of this prefix. */
export function keyIn(prefix: string, name: string): string | null {
  const key = name.startsWith(`${prefix}/`) ? name.slice(prefix.length + 1) : ''
  return SHA256.test(key) ? key : null
}
