import { z } from 'zod'
import type { RequestFields } from './model.js'

/** A field of a form. `type` is `file` for a file, whose path is known only on the machine that it is on. */
export interface FormRow {
  readonly key: string
  readonly value: string
  readonly enabled: boolean
  readonly type: 'text' | 'file'
}

type Body = Pick<RequestFields, 'body' | 'bodyType'>

const rows = z.array(
  z.object({
    key: z.string(),
    value: z.string().catch(''),
    enabled: z.boolean().catch(true),
    type: z.enum(['text', 'file']).catch('text')
  })
)

/** The body of a form as clients keep it in the text of a body: a JSON list of its fields. */
export function formBody(bodyType: 'multipart' | 'urlencoded', fields: readonly FormRow[]): Body {
  const list = fields.map(({ key, value, enabled, type }) =>
    bodyType === 'multipart' ? { key, value, enabled, type, files: [] } : { key, value, enabled }
  )
  return { bodyType, body: JSON.stringify(list) }
}

/** The fields of a form; null where the body's text is no list of fields. */
export function formRows({ body }: Pick<Body, 'body'>): readonly FormRow[] | null {
  if (body === '') return []
  try {
    return rows.parse(JSON.parse(body))
  } catch {
    return null
  }
}

/** A raw body: JSON where it says so or is so, text otherwise. */
export function rawBody(body: string, contentType: string | undefined): Body {
  if (body === '') return { bodyType: 'none', body }
  const isJson = contentType === undefined ? looksLikeJson(body) : /[/+]json\b/i.test(contentType)
  return { bodyType: isJson ? 'json' : 'text', body }
}

function looksLikeJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
