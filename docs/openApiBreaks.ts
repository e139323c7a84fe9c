import { z } from 'zod'

const fields = z.record(z.string(), z.unknown())
type Fields = z.infer<typeof fields>

/** Which side of the interface a schema is on: what clients send, or what they get. */
type Side = 'input' | 'output'

/**
 * What of one description of an interface would break clients of the one before: operations, answers, fields of answers and
 * accepted fields of bodies that are gone, values that have another type or are no longer taken, and what is required now.
 * Nothing where every client goes on working.
 */
export function breaksOf(before: object, after: object): readonly string[] {
  return new Comparison(fields.parse(before), fields.parse(after)).breaks()
}

/** One comparison. Of schemas that hold themselves it goes through each pair once. */
class Comparison {
  readonly #before: Fields
  readonly #after: Fields
  readonly #open = new Set<string>()

  constructor(before: Fields, after: Fields) {
    this.#before = before
    this.#after = after
  }

  breaks(): readonly string[] {
    const paths = within(this.#after, 'paths')
    return Object.entries(within(this.#before, 'paths')).flatMap(([path, methods]) =>
      Object.entries(object(methods)).flatMap(([method, operation]) => {
        const name = `${method.toUpperCase()} ${path}`
        const now = within(paths, path)[method]
        return now === undefined ? [`${name} is gone`] : this.#operation(name, object(operation), object(now))
      })
    )
  }

  #operation(name: string, before: Fields, after: Fields): readonly string[] {
    const renamed =
      before.operationId === after.operationId ? [] : [`${name} is no longer called ${String(before.operationId)}`]
    return [
      ...renamed,
      ...this.#parameters(name, before, after),
      ...this.#body(`${name} body`, before, after),
      ...this.#answers(name, before, after)
    ]
  }

  #parameters(name: string, before: Fields, after: Fields): readonly string[] {
    const known = this.#parametersOf(this.#before, before)
    const now = this.#parametersOf(this.#after, after)
    const gone = [...known].flatMap(([key, one]) => {
      const other = now.get(key)
      if (!other) return [`${name} no longer takes ${key}`]
      return this.#schema(`${name} ${key}`, object(one.schema), object(other.schema), 'input')
    })
    const required = [...now].flatMap(([key, one]) =>
      one.required === true && known.get(key)?.required !== true ? [`${name} requires ${key}`] : []
    )
    return [...gone, ...required]
  }

  #parametersOf(document: Fields, { parameters = [] }: Fields): ReadonlyMap<string, Fields> {
    const all = z.array(fields).parse(parameters)
    return new Map(
      all.map((one) => {
        const parameter = resolved(document, one)
        return [`${String(parameter.in)} ${String(parameter.name)}`, parameter]
      })
    )
  }

  #body(name: string, before: Fields, after: Fields): readonly string[] {
    const [was, is] = [within(before, 'requestBody'), within(after, 'requestBody')]
    if (is.required === true && was.required !== true) return [`${name} is required`]
    return this.#contents(name, was, is, 'input')
  }

  #answers(name: string, before: Fields, after: Fields): readonly string[] {
    const now = within(after, 'responses')
    return Object.entries(within(before, 'responses')).flatMap(([status, answer]) => {
      if (!status.startsWith('2')) return []
      const other = now[status]
      if (other === undefined) return [`${name} no longer answers ${status}`]
      return this.#contents(`${name} ${status}`, object(answer), object(other), 'output')
    })
  }

  #contents(name: string, before: Fields, after: Fields, side: Side): readonly string[] {
    const now = within(after, 'content')
    return Object.entries(within(before, 'content')).flatMap(([type, form]) => {
      const other = now[type]
      if (other === undefined) return [`${name} is no longer ${type}`]
      return this.#schema(name, within(object(form), 'schema'), within(object(other), 'schema'), side)
    })
  }

  #schema(name: string, before: Fields, after: Fields, side: Side): readonly string[] {
    const [was, is] = [alternatives(this.#before, before), alternatives(this.#after, after)]
    // What was taken must still be; what is answered must have been before.
    const [wanted, offered] = side === 'input' ? [was, is] : [is, was]
    return wanted.flatMap((one) => {
      const all = offered.map((other) =>
        side === 'input' ? this.#one(name, one, other, side) : this.#one(name, other, one, side)
      )
      return all.reduce((least, some) => (some.length < least.length ? some : least), all[0] ?? [])
    })
  }

  #one(name: string, before: Fields, after: Fields, side: Side): readonly string[] {
    const pair = `${String(before.$ref)} ${String(after.$ref)}`
    if (this.#open.has(pair)) return []
    const isNamed = before.$ref !== undefined && after.$ref !== undefined
    if (isNamed) this.#open.add(pair)
    const breaks = this.#plain(name, before, after, side)
    if (isNamed) this.#open.delete(pair)
    return breaks
  }

  #plain(name: string, before: Fields, after: Fields, side: Side): readonly string[] {
    if (before.type !== undefined && after.type !== undefined && !isType(before, after, side))
      return [`${name} is ${String(after.type)}, not ${String(before.type)}`]
    return [...valuesGone(name, before, after, side), ...this.#fields(name, before, after, side)].concat(
      before.items === undefined ? [] : this.#schema(`${name}[]`, object(before.items), within(after, 'items'), side),
      before.contentSchema === undefined
        ? []
        : this.#schema(name, object(before.contentSchema), within(after, 'contentSchema'), side)
    )
  }

  #fields(name: string, before: Fields, after: Fields, side: Side): readonly string[] {
    const now = within(after, 'properties')
    const [was, is] = [required(before), required(after)]
    const compared = Object.entries(within(before, 'properties')).flatMap(([key, schema]) => {
      const other = now[key]
      if (other === undefined) return [`${name}.${key} is gone`]
      if (side === 'output' && was.has(key) && !is.has(key)) return [`${name}.${key} may be missing`]
      return this.#schema(`${name}.${key}`, object(schema), object(other), side)
    })
    const wanted = side === 'output' ? [] : [...is].filter((key) => !was.has(key))
    return [...compared, ...wanted.map((key) => `${name}.${key} is required`)]
  }
}

/** Values that were taken and are not any more. What is answered may be new. */
function valuesGone(name: string, before: Fields, after: Fields, side: Side): readonly string[] {
  if (side === 'output' || !Array.isArray(before.enum) || !Array.isArray(after.enum)) return []
  const now = new Set(after.enum)
  return before.enum.filter((value) => !now.has(value)).map((value) => `${name} no longer takes ${String(value)}`)
}

/** An integer is a number: it may become one where it is taken, and a number an integer where it is answered. */
function isType(before: Fields, after: Fields, side: Side): boolean {
  const [narrow, wide] = side === 'input' ? [before.type, after.type] : [after.type, before.type]
  return narrow === wide || (narrow === 'integer' && wide === 'number')
}

/** The schemas of which a value has to fit one. Those that have a name are there with the reference to it. */
function alternatives(document: Fields, schema: Fields): readonly Fields[] {
  const whole: Fields = { ...resolved(document, schema), $ref: schema.$ref }
  const inner = whole.anyOf ?? whole.oneOf
  if (Array.isArray(whole.type)) return whole.type.map((type) => ({ ...whole, type }))
  return Array.isArray(inner) ? inner.flatMap((one) => alternatives(document, object(one))) : [whole]
}

function resolved(document: Fields, { $ref, ...rest }: Fields): Fields {
  if (typeof $ref !== 'string') return rest
  return $ref.replace('#/', '').split('/').reduce(within, document)
}

function required(schema: Fields): ReadonlySet<string> {
  return new Set(z.array(z.string()).parse(schema.required ?? []))
}

function within(outer: Fields, key: string): Fields {
  return object(outer[key] ?? {})
}

/** A schema that is only true or false, as behind the last item of a tuple, has no parts. */
function object(value: unknown): Fields {
  return typeof value === 'boolean' ? {} : fields.parse(value)
}
