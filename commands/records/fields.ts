import { z } from 'zod'
import { boundedText, freeValue, LIMITS, listOf } from '../../src/limits.js'
import type { Row } from '../../src/storage/storage.js'
import { auth, keyValue, marker, name, sent, text, variable } from '../content.js'

/** How much it counts that a searched word is in a field: in the name most, then in what a request calls. */
export type Weight = 'name' | 'address' | 'rest'

/** How search finds words in a field. */
export interface Searched {
  readonly weight: Weight
  /** The text in a value in which words are found. */
  textOf(value: unknown): string
}

/**
 * One field of a record, said once. What the hub keeps, takes, answers, searches and lists of a record is made of these, so a new
 * field is one line in the `fields.ts` of its kind.
 */
export interface Field<S extends z.ZodType = z.ZodType, I extends z.ZodType = z.ZodType> {
  /** As events, rows and answers hold it: what was written once can always be read. */
  readonly stored: S
  /** As clients send it, with its bounds. */
  readonly sent: I
  /** None where search does not look into it. */
  readonly searched?: Searched | undefined
  /** True for a field that was added when events without it were written already. */
  readonly isAdded?: true
  /** What it is, for the description of the interface. */
  readonly about?: string | undefined
}

/** A field that clients may leave out, since not every one knows it: then it stays as it is, and of a new record is `first`. */
export interface OptionalField<S extends z.ZodType = z.ZodType, I extends z.ZodType = z.ZodType>
  extends Field<S, z.ZodOptional<I>> {
  readonly first: z.output<S>
}

/** The fields of a kind of record, in the order in which its content is stored and answered. */
export type Fields = Readonly<Record<string, Field>>

/** The content of a record with these fields. */
export type ContentOf<F extends Fields> = z.output<z.ZodObject<Stored<F>>>
type Stored<F extends Fields> = { -readonly [K in keyof F]: F[K]['stored'] }
type OptionalNames<F extends Fields> = { [K in keyof F]: F[K] extends OptionalField ? K : never }[keyof F]
/** The same as a command brings it: what may be left out is optional. */
export type SubmittedOf<F extends Fields> = Omit<ContentOf<F>, OptionalNames<F>> & OptionalOf<F>
/** What may be left out. */
export type OptionalOf<F extends Fields> = { readonly [K in OptionalNames<F>]?: z.output<F[K]['stored']> | undefined }

/** The same field, which is this. */
export function about<F extends Field>(about: string, field: F): F {
  return { ...field, about }
}

/** Any field, by how it is stored and sent. */
export function field<S extends z.ZodType, I extends z.ZodType>(stored: S, sent: I, searched?: Searched): Field<S, I> {
  return { stored, sent, searched }
}

/** The same field, which has this value where a client leaves it out. */
export function defaulted<S extends z.ZodType, I extends z.ZodType>(
  { stored, sent, searched, about }: Field<S, I>,
  value: z.core.util.NoUndefined<z.output<I>>
): Field<S, z.ZodDefault<I>> {
  return { stored, sent: sent.default(value), searched, about }
}

/** The same field, which stays as it is where a client leaves it out. */
export function optional<S extends z.ZodType, I extends z.ZodType>(
  { stored, sent, searched, about }: Field<S, I>,
  first: z.output<S>
): OptionalField<S, I> {
  return { stored, sent: sent.optional(), searched, about, first }
}

/** A field that events which are written already do not hold: there it is `first`, as where a client leaves it out. */
export function added<S extends z.ZodType, I extends z.ZodType>(
  { stored, sent, searched, about }: Field<S, I>,
  first: z.core.util.NoUndefined<z.output<S>>
): OptionalField<z.ZodDefault<S>, I> {
  return { stored: stored.default(first), sent: sent.optional(), searched, about, first, isAdded: true }
}

const asText = (value: unknown) => (typeof value === 'string' ? value : '')
const keyed = z.array(z.object({ key: z.string() }))
/** What stands for an account before the host of a URL. */
const USER_IN_URL = /(?<=\/\/)[^/?#\s]*@/g

const words = (weight: Weight): Searched => ({ weight, textOf: asText })
/** The keys of variables, headers or parameters. Their values may be secrets. */
const keys: Searched = {
  weight: 'rest',
  textOf: (value) => (keyed.safeParse(value).data ?? []).map(({ key }) => key).join('\n')
}

/** The name: a text of its own bound, in which words weigh most. */
export const named = about('What it is called.', field(z.string(), name, words('name')))
/** A text of any length, which is searched where `weight` is told. */
export const textual = (weight?: Weight) => field(z.string(), text, weight && words(weight))
/** One of these words, which is searched where `weight` is told. */
export const choice = <const T extends readonly [string, ...string[]]>(values: T, weight?: Weight) =>
  field(z.enum(values), z.enum(values), weight && words(weight))
/** True or false. */
export const flag = field(z.boolean(), z.boolean())
/** A URL, of which an account before the host is not searched, since that may be a password. */
export const url = about(
  'The URL, which may refer to variables.',
  field(z.string(), text, { weight: 'address', textOf: (value) => asText(value).replaceAll(USER_IN_URL, '') })
)
/** Variables: key, value and whether they are in force. Their keys alone are searched. */
export const variables = about(
  'Variables, in the order in which clients show them. Their values may be secrets.',
  field(z.array(variable), listOf(sent.variable), keys)
)
/** Headers or parameters, of which the keys alone are searched. */
export const pairs = about(
  'Headers, in the order in which they are sent.',
  field(z.array(keyValue), listOf(sent.keyValue), keys)
)
/** How a request says who sends it. It may hold secrets, so search does not look into it. */
export const authBlock = about('How a request says who sends it. It may hold secrets.', field(auth, sent.auth))
/** The colour that a record is marked with; null for none, which is also what a new one has. */
export const colour = about(
  'The colour that clients mark it with; null for none. Left out, it stays as it is.',
  optional(field(z.string().nullable(), marker), null)
)
/** The script that clients run before a request, and the one that they run after it. */
export const scripts = {
  preRequestScript: about('JavaScript that clients run before a request; empty for none.', textual('rest')),
  postRequestScript: about('JavaScript that clients run after a request; empty for none.', textual('rest'))
}
/** A list of what only the desktop knows. */
export const anything = defaulted(field(z.array(z.unknown()), listOf(freeValue())), [])
/** An image as a data URL; null for none. */
export const image = field(z.string().nullable(), boundedText(LIMITS.favicon).nullable())

/** The schema of a record's content, as events, rows and answers hold it. */
export function storedOf<F extends Fields>(fields: F) {
  return z.object(mapped(fields, ({ stored }) => stored) as Stored<F>)
}

type Sent<F extends Fields> = { -readonly [K in keyof F]: F[K]['sent'] }

/** The schema of what clients send in place of a record with these fields. */
export function sentOf<F extends Fields>(fields: F) {
  return z.object(mapped(fields, ({ sent }) => sent) as Sent<F>)
}

/** The schema of what they send of a new one: what they may leave out is told with what it is then. */
export function newOf<F extends Fields>(fields: F) {
  const first = (one: Field) =>
    isOptional(one) && one.first !== null ? one.sent.unwrap().default(one.first) : one.sent
  return z.object(mapped(fields, first) as Sent<F>)
}

/** Those of the fields that clients may leave out. */
export function optionalFields<F extends Fields>(fields: F) {
  return Object.fromEntries(Object.entries(fields).filter(([, one]) => isOptional(one))) as Pick<F, OptionalNames<F>>
}

/** What a record begins with in the fields that clients may leave out. */
function firstOf(fields: Fields): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, one]) => (isOptional(one) ? [[name, one.first]] : []))
  )
}

function isOptional(field: Field): field is OptionalField {
  return 'first' in field
}

/** The version of a projector that was 1 before fields were added: rows from before lack them, and are made anew. */
export function versionOf(fields: Fields): number {
  return 1 + Object.values(fields).filter(({ isAdded }) => isAdded).length
}

// The type of what comes out cannot be told from how it is made: the callers say it.
function mapped(fields: Fields, of: (field: Field) => z.ZodType) {
  const described = (field: Field) => (field.about === undefined ? of(field) : of(field).describe(field.about))
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, described(field)]))
}

/** How the content of records with these fields is read from their rows, and made whole. `of` gives what a row holds of it. */
export function contentsOf<F extends Fields>(fields: F, of: (row: Row) => object) {
  // Compiled with its first use: most commands of the command line read no record.
  let schema: z.ZodType<object> | undefined
  const first = firstOf(fields)
  const keptNames = Object.keys(first)
  // The schema is that of these fields, so what it gives has their types.
  const parsed = (content: object) => {
    schema ??= z.compile(storedOf(fields))
    return schema.parse(content) as ContentOf<F>
  }
  const contentOf = (row: Row) => parsed(of(row))
  return {
    contentOf,
    parsed,
    /** The content as it is to be, in the order of the fields: what is left out as the row has it, or as it is at first. */
    whole(submitted: SubmittedOf<F>, row: Row | null): ContentOf<F> {
      const content: Record<string, unknown> = { ...submitted }
      const left = keptNames.filter((name) => content[name] === undefined)
      const there = left.length > 0 && row ? of(row) : first
      for (const name of left) content[name] = Reflect.get(there, name)
      return parsed(content)
    }
  }
}
