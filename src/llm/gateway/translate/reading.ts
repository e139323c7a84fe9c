import { z } from 'zod'
import { errors } from '../../../errors.js'
import { mapInTurns } from '../../../lib/turns.js'
import type { Body } from '../bound.js'

/** Reads a call that is to be translated, or what stands at a place of it; 400 with the place of what is not as its interface has it. */
export function readCall<S extends z.ZodType>(schema: S, body: unknown, ...at: readonly PropertyKey[]): z.infer<S> {
  const { success, data, error } = schema.safeParse(body)
  if (success) return data
  const [issue] = error.issues
  const place = [...at, ...(issue?.path ?? [])].join('.')
  throw errors.modelCallRefused(`${place || 'body'}: ${issue?.message ?? 'not as the interface has it'}`)
}

/** Reads the items of a list in the same way, of which there may be very many: others have their turn in between. */
export function readAll<S extends z.ZodType>(schema: S, items: readonly unknown[], ...list: readonly PropertyKey[]) {
  return mapInTurns(items, (one, at) => readCall(schema, one, ...list, at))
}

/** What a message says where it is no text may be very many parts, which are read by `readAll`. */
export const textOrParts = z.union([z.string(), z.array(z.unknown())])

/** Why something of a call is refused. */
export const NOT_CARRIED = "cannot be carried over to the interface of this model's provider."
/** Why a tool is refused that the provider would run. */
export const CLIENTS_TOOLS = 'Only tools of the client can be carried over.'

/** Refuses what a call asks for that the interface of the model's provider has no word for. */
export function cannot(what: string): never {
  throw errors.modelCallRefused(`${what} ${NOT_CARRIED}`)
}

/**
 * Refuses fields of a call that are neither translated nor mere hints, which a model answers without. What stands for nothing, such as
 * null, false, 0 or an empty list, says nothing.
 */
export function requireKnown(body: Body, translated: ReadonlySet<string>, hints: ReadonlySet<string>): void {
  for (const [name, value] of Object.entries(body)) {
    const saysNothing = value === null || value === undefined || value === false || value === 0
    if (saysNothing || (Array.isArray(value) && value.length === 0)) continue
    if (!translated.has(name) && !hints.has(name)) cannot(name)
  }
}

/** An image that is written out in an address. */
export function dataUrl(url: string): { readonly media_type: string; readonly data: string } | null {
  const [, media_type = '', data = ''] = /^data:([\w/+.-]+);base64,([\s\S]*)$/.exec(url) ?? []
  return media_type === '' ? null : { media_type, data }
}
