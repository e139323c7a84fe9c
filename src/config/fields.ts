import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'
import { LIMITS } from '../limits.js'
import { isLoopback } from '../net/serverUrl.js'

const MAX_INTEGER = 2_147_483_647
export const MEGABYTE = 1024 * 1024

/** A string that is not blank, without the white space around it. */
export const text = (whenEmpty = 'Must not be empty.') => z.string().trim().min(1, whenEmpty)

/** An optional string. Blank counts as absent, so that `${NAME:-}` switches a setting off. */
export const optionalText = z
  .string()
  .trim()
  .nullish()
  .transform((value) => value || undefined)

/** An optional string as `schema` has it. Blank counts as absent. */
export const optionalAs = <T>(schema: z.ZodType<T, string>) => optionalText.pipe(schema.optional())

/** A string of this form. */
export const matching = (form: RegExp, whenNot: string) => z.string().regex(form, whenNot)

/** A number, or the digits of one in a string. */
export const numeral = (limits: z.GlobalMeta, digits: z.ZodString, whenWrong: string) =>
  z.union([z.number().meta(limits), digits.transform(Number)], { error: unlessMissing(whenWrong) })

/** A whole number, or the digits of one in a string. */
export const integer = (min: number, max = MAX_INTEGER, whenWrong = `Must be an integer between ${min} and ${max}.`) =>
  numeral({ type: 'integer', minimum: min, maximum: max }, z.string().regex(/^\s*\d+\s*$/), whenWrong).refine(
    (value) => Number.isInteger(value) && value >= min && value <= max,
    whenWrong
  )

/** A TCP port; `owner` opens the message. */
export const port = (owner?: 'Postgres' | 'MySQL') =>
  integer(1, 65_535, `${owner ? `${owner} port` : 'Port'} must be an integer between 1 and 65535.`)

const NO_MEGABYTES = 'Must be a number of megabytes above 0.'
const MEGABYTES_MAX = LIMITS.contentBodyMost.max / MEGABYTE

/** Megabytes, possibly a fraction, as a whole number of bytes. */
export const megabytes = numeral(
  { exclusiveMinimum: 0, maximum: MEGABYTES_MAX },
  z
    .string()
    .trim()
    .regex(/^\d+(\.\d+)?$/),
  NO_MEGABYTES
)
  .refine((value) => value > 0 && Number.isSafeInteger(Math.ceil(value * MEGABYTE)), NO_MEGABYTES)
  .transform((value) => Math.ceil(value * MEGABYTE))
  .refine((bytes) => bytes <= LIMITS.contentBodyMost.max, `Must be at most ${MEGABYTES_MAX} megabytes.`)

/** true or false. The strings are accepted because an interpolated value is always one. */
export const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((value) => value === 'true')], {
  error: unlessMissing('Must be true or false.')
})

/** on or off, as people say it of a part of the hub; true and false mean the same. */
export const onOff = z.union([z.enum(['on', 'off']).transform((value) => value === 'on'), flag], {
  error: unlessMissing('Must be on or off.')
})

/** An http or https URL, kept as it was written. */
export const webUrl = text().refine(isWebUrl, 'Must be an http or https URL.')

/** A URL that nobody on the way can read or forge what is sent to: https, or http on this machine. */
export const witnessUrl = webUrl
  .refine(isPrivateUrl, 'Must be an https URL; http only for this machine.')
  .refine(namesNoUser, 'Must not hold a user name or a password: give them as a header, under headers.')

/** An http or https URL that paths are appended to: its trailing slashes are cut. */
export const baseUrl = webUrl.transform((value) => value.replace(/\/+$/, ''))

/** The address that people reach a hub at: nothing but scheme, host, port and perhaps a path. */
export const publicUrl = baseUrl
  .refine(namesNoUser, 'Must not hold a user name or a password: it is shown to everybody.')
  .refine((value) => !/[?#]/.test(value), 'Must end with the host or a path: links put a path and a query behind it.')

/** Where a bucket is found: nothing but scheme, host, port and perhaps a path. */
export const bucketEndpoint = baseUrl
  .refine(namesNoUser, 'Must not hold a user name or a password: give accessKeyId and secretAccessKey.')
  .refine((value) => !/[?#]/.test(value), 'Must end with the host or a path: the bucket is put behind it.')

/** An address or a CIDR range of addresses. */
export const addressRange = text().refine(isAddressRange, 'Must be an IP address or a CIDR range.')

/** A path of a file; a relative one starts at `baseDir`. */
export const path = (baseDir: string, whenEmpty: string) =>
  text(whenEmpty).transform((value) => resolve(baseDir, value))

/** An optional path of a file; a relative one starts at `baseDir`. */
export const optionalPath = (baseDir: string) =>
  optionalText.transform((value) => (value === undefined ? undefined : resolve(baseDir, value)))

/** `schema`, or `value` where the key is absent or has no value. */
export const orElse = <S extends z.ZodType>(schema: S, value: z.output<S>) =>
  schema.nullish().transform((given) => given ?? value)

/** `schema`, or undefined where the key is absent or has no value. */
export const optional = <S extends z.ZodType>(schema: S) =>
  schema
    .nullish()
    .transform((given) => given ?? undefined)
    .optional()

/** Marks a value that nobody is shown: `hub config print` hides it. */
export const secret = <S extends z.ZodType>(schema: S) => schema.meta({ writeOnly: true })

/** `schema`, or what it makes of an empty mapping where the key is absent or has no value. */
export const section = <S extends z.ZodType>(schema: S) =>
  schema.nullish().transform((given) => given ?? schema.parse({}))

/** True for what a YAML mapping becomes. */
export function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A message for a wrong value; a missing one is left to the general text, which names the key. */
export function unlessMissing(message: string) {
  return ({ input }: { readonly input?: unknown }) => (input == null ? undefined : message)
}

function isWebUrl(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
}

function isPrivateUrl(value: string): boolean {
  // That it is no web URL at all is told by itself.
  if (!isWebUrl(value)) return true
  const { protocol, hostname } = new URL(value)
  return protocol === 'https:' || isLoopback(hostname.replace(/^\[|\]$/g, ''))
}

/** Requests cannot be sent to a URL that does, and the error says what it is. */
function namesNoUser(value: string): boolean {
  if (!isWebUrl(value)) return true
  const { username, password } = new URL(value)
  return username === '' && password === ''
}

function isAddressRange(value: string): boolean {
  const [address = '', bits, ...rest] = value.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}
