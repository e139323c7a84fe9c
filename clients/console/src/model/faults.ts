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
