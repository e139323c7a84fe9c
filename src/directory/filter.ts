import { z } from 'zod'
import { errors } from '../errors.js'

/** Whether a resource is one that was asked for. */
export type Holds = (resource: unknown) => boolean
/** What of a resource is compared. */
type ValuesIn = (resource: unknown) => readonly unknown[]

const DEPTH_MAX = 20
/** A text, a bracket, or anything up to the next of them. No part of it can be read in two ways, so that it takes as long as the text. */
const TOKEN = /\s*(?:("(?:[^"\\]|\\.)*")|([()[\]])|([^\s"()[\]]+))/y
const OPERATORS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const
type Operator = (typeof OPERATORS)[number]
/** Of values that are chosen in brackets this part alone is compared. */
const CHOSEN_PART = { attribute: 'emails', part: '.value' } as const
/** The attributes whose case counts (RFC 7643, section 3.1). */
const EXACT: ReadonlySet<string> = new Set(['id', 'externalid', 'meta.resourcetype', 'meta.location', 'meta.version'])
const simpleValue = z.union([z.string(), z.number(), z.boolean(), z.null()])

/**
 * What a filter asks of a resource (RFC 7644, section 3.4.2.2): comparisons of attributes and of their parts, joined by `and`, `or` and
 * `not`, in brackets where they are about one value of several. Texts are alike in whatever case, but for ids; times are compared as times.
 * Throws 400 for what is no filter.
 */
export function filterOf(text: string): Holds {
  const tokens = tokensOf(text)
  const parser = new Parser(tokens)
  const holds = parser.alternatives(0)
  if (parser.next() !== undefined) throw notOne()
  return holds
}

const notOne = () => errors.scimRefused('The filter cannot be read.', 'invalidFilter')

function tokensOf(text: string): readonly string[] {
  const tokens: string[] = []
  const token = new RegExp(TOKEN)
  const end = text.trimEnd().length
  while (token.lastIndex < end) {
    const [, quoted, bracket, word] = token.exec(text) ?? []
    const found = quoted ?? bracket ?? word
    if (found === undefined) throw notOne()
    tokens.push(found)
  }
  return tokens
}

/** Reads tokens from the first to the last. */
class Parser {
  readonly #tokens: readonly string[]
  #at = 0

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens
  }

  next(): string | undefined {
    return this.#tokens[this.#at]
  }

  alternatives(depth: number): Holds {
    return this.#joined('or', () => this.#joined('and', () => this.#factor(depth), every), some)
  }

  #joined(word: string, one: () => Holds, join: (all: readonly Holds[]) => Holds): Holds {
    const all = [one()]
    while (this.next()?.toLowerCase() === word) {
      this.#at++
      all.push(one())
    }
    return join(all)
  }

  #factor(depth: number): Holds {
    if (depth > DEPTH_MAX) throw notOne()
    const token = this.#take()
    if (token.toLowerCase() === 'not' && this.next() === '(') {
      this.#at++
      const inner = this.#until(')', depth)
      return (resource) => !inner(resource)
    }
    if (token === '(') return this.#until(')', depth)
    if (!isName(token)) throw notOne()
    const path = pathOf(token)
    if (this.next() === '[') {
      this.#at++
      const inner = this.#until(']', depth)
      const chosen: ValuesIn = (resource) => valuesAt(resource, path).filter(inner)
      return this.next()?.startsWith('.') ? this.#ofChosen(path, chosen) : (resource) => chosen(resource).length > 0
    }
    return this.#comparison((resource) => valuesAt(resource, path), EXACT.has(path.join('.')) ? same : folded)
  }

  /** A comparison of a part of what was chosen in brackets: no filter of RFC 7644, though Entra sends it of mail addresses. */
  #ofChosen(path: readonly string[], chosen: ValuesIn): Holds {
    const isMail = path.join('.') === CHOSEN_PART.attribute && this.#take().toLowerCase() === CHOSEN_PART.part
    if (!isMail) throw notOne()
    return this.#comparison((resource) => chosen(resource).flatMap((one) => valuesAt(one, ['value'])))
  }

  #until(close: string, depth: number): Holds {
    const inner = this.alternatives(depth + 1)
    if (this.#take() !== close) throw notOne()
    return inner
  }

  #comparison(valuesIn: ValuesIn, form: Form = folded): Holds {
    const word = this.#take().toLowerCase()
    if (word === 'pr') return (resource) => valuesIn(resource).length > 0
    const operator = OPERATORS.find((one) => one === word)
    if (!operator) throw notOne()
    const value = form(literalOf(this.#take()))
    const holdsFor = (resource: unknown, how: Operator) =>
      valuesIn(resource).some((one) => compares(form(simple(one)), how, value))
    return operator === 'ne' ? (resource) => !holdsFor(resource, 'eq') : (resource) => holdsFor(resource, operator)
  }

  #take(): string {
    const token = this.#tokens[this.#at++]
    if (token === undefined) throw notOne()
    return token
  }
}

const every =
  (all: readonly Holds[]): Holds =>
  (resource) =>
    all.every((holds) => holds(resource))
const some =
  (all: readonly Holds[]): Holds =>
  (resource) =>
    all.some((holds) => holds(resource))

const isName = (token: string) => /^[a-z$][\w$:.-]*$/i.test(token)

/** The attribute and its part, without the schema that they are of. */
function pathOf(name: string): readonly string[] {
  const own = /^urn:.*:([^:]*)$/i.exec(name)?.[1] ?? name
  return own.toLowerCase().split('.')
}

/** All that a resource has there: of several values each. */
function valuesAt(resource: unknown, [first, ...rest]: readonly string[]): readonly unknown[] {
  if (first === undefined) return resource === undefined || resource === null ? [] : [resource]
  if (typeof resource !== 'object' || resource === null) return []
  const found = Object.entries(resource).find(([name]) => name.toLowerCase() === first)?.[1]
  return (Array.isArray(found) ? found : [found]).flatMap((one) => valuesAt(one, rest))
}

/** What has parts is compared by its `value`. */
function simple(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'value' in value ? value.value : value
}

function literalOf(token: string): z.infer<typeof simpleValue> {
  try {
    return simpleValue.parse(JSON.parse(token))
  } catch {
    // It is told below.
  }
  const word = token.toLowerCase()
  if (word === 'true' || word === 'false') return word === 'true'
  throw notOne()
}

function compares(one: unknown, operator: Operator, other: unknown): boolean {
  if (operator === 'eq') return one === other
  if (typeof one === 'string' && typeof other === 'string') {
    if (operator === 'co') return one.includes(other)
    if (operator === 'sw') return one.startsWith(other)
    if (operator === 'ew') return one.endsWith(other)
    return inOrder(one < other ? -1 : one > other ? 1 : 0, operator)
  }
  return typeof one === 'number' && typeof other === 'number' && inOrder(one - other, operator)
}

/** In which form values are compared. */
type Form = (value: unknown) => unknown
const same: Form = (value) => value

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/i

/** What texts are told apart by where case does not count, as in keys of names; of a time the moment, however it is written. */
const folded: Form = (value) => {
  if (typeof value !== 'string') return value
  const moment = TIME.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(moment) ? value.normalize('NFKC').toUpperCase().toLowerCase() : moment
}

function inOrder(difference: number, operator: Operator): boolean {
  switch (operator) {
    case 'gt':
      return difference > 0
    case 'ge':
      return difference >= 0
    case 'lt':
      return difference < 0
    case 'le':
      return difference <= 0
    default:
      return false
  }
}
