/** What the hub says is wrong with a field of what was sent. */
export interface Fault {
  /** The keys that lead to it, with dots between them: `headers.3.key`. */
  readonly path: string
  readonly message: string
}

/** The faults that the problem details of a refusal name, but for those that are of no field of the body. */
export function faultsOf(problem: Readonly<Record<string, unknown>>): readonly Fault[] {
  const { errors } = problem
  return Array.isArray(errors) ? errors.flatMap((one: unknown) => faultOf(one) ?? []) : []
}

function faultOf(one: unknown): Fault | null {
  if (typeof one !== 'object' || one === null) return null
  const { in: part, path, message } = one as Readonly<Record<string, unknown>>
  if (part !== 'body' || typeof path !== 'string' || typeof message !== 'string') return null
  return path === '' ? null : { path, message }
}

/** What is wrong with a field, or with anything in it; undefined where nothing is. */
export function faultAt(faults: readonly Fault[], path: string): string | undefined {
  const found = faults.find((fault) => fault.path === path || fault.path.startsWith(`${path}.`))
  return found?.message
}

/** What is wrong with fields that are none of these. */
export function otherFaults(faults: readonly Fault[], fields: readonly string[]): readonly Fault[] {
  return faults.filter(({ path }) => !fields.some((field) => path === field || path.startsWith(`${field}.`)))
}

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
