/** One field that differs between two states of a record; a side is absent where the field was not there. */
export interface FieldChange {
  /** A JSON Pointer (RFC 6901) into the record. */
  readonly path: string
  readonly from?: unknown
  readonly to?: unknown
}

/** The fields that differ between two JSON values, in the order that they have there; nothing where they are equal. */
export function changesBetween(from: unknown, to: unknown, path = ''): readonly FieldChange[] {
  if (Object.is(from, to)) return []
  if (isContainer(from) && isContainer(to) && Array.isArray(from) === Array.isArray(to)) {
    const keys = new Set([...Object.keys(from), ...Object.keys(to)])
    return [...keys].flatMap((key) =>
      changesBetween(
        Reflect.get(from, key),
        Reflect.get(to, key),
        `${path}/${key.replace(/~/g, '~0').replace(/\//g, '~1')}`
      )
    )
  }
  return [{ path, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }]
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
