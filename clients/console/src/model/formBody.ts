/** A field of a form, as the text of a body keeps it, with whatever else clients keep of it there. */
export interface FormRow {
  readonly key: string
  readonly value: string
  readonly enabled: boolean
  /** `file` for a file, whose path only the machine knows that it is on. */
  readonly type?: string
}

/** The fields that the body of a form holds; null where its text is no list of fields. */
export function formRowsOf(body: string): readonly FormRow[] | null {
  if (body.trim() === '') return []
  try {
    const list: unknown = JSON.parse(body)
    return Array.isArray(list) && list.every(isFormRow)
      ? list.map((row) => ({ ...row, value: row.value ?? '', enabled: row.enabled ?? true }))
      : null
  } catch {
    return null
  }
}

/** The text of a body that holds these fields. */
export const formBodyOf = (rows: readonly FormRow[]): string => (rows.length === 0 ? '' : JSON.stringify(rows))

/** What a field does not say of itself is usual: it has no value, and is on. */
function isFormRow(one: unknown): one is Partial<FormRow> & Pick<FormRow, 'key'> {
  if (typeof one !== 'object' || one === null) return false
  const { key, value = '', enabled = true } = one as Readonly<Record<string, unknown>>
  return typeof key === 'string' && typeof value === 'string' && typeof enabled === 'boolean'
}
