import { z } from 'zod'
import type { RestorableKind } from '../../commands/kinds.js'
import { LIMITS } from '../limits.js'
import type { Row } from '../storage/storage.js'

/** How much it counts that a word is in a text: in the name most, then in what a request calls. */
export type Weight = 'name' | 'address' | 'rest'

/** A text of a record in which words are found, no longer than `LIMITS.searchText`. */
export interface FieldText {
  readonly field: string
  readonly weight: Weight
  readonly text: string
}

interface Field {
  readonly field: string
  readonly weight: Weight
  textOf(value: unknown): string
}

const keyed = z.array(z.object({ key: z.string() }))
/** What stands for an account before the host of a URL, which may be a password. */
const USER_IN_URL = /(?<=\/\/)[^/?#\s]*@/g

const asText = (value: unknown) => (typeof value === 'string' ? value : '')
const text = (field: string, weight: Weight = 'rest'): Field => ({ field, weight, textOf: asText })
/** The keys of variables, headers or parameters. Their values may be secrets. */
const keysOf = (field: string): Field => ({
  field,
  weight: 'rest',
  textOf: (value) => (keyed.safeParse(value).data ?? []).map(({ key }) => key).join('\n')
})
const name = text('name', 'name')
const url: Field = { ...text('url', 'address'), textOf: (value) => asText(value).replaceAll(USER_IN_URL, '') }
const scripts = [text('preRequestScript'), text('postRequestScript')]

/** What search finds of each kind of record, in the order in which it is shown. What is not here, such as `auth`, is not found. */
const FIELDS: Readonly<Record<RestorableKind, readonly Field[]>> = {
  collection: [name, keysOf('variables'), keysOf('headers'), ...scripts],
  environment: [name, keysOf('variables')],
  snippet: [name, text('code')],
  liveServer: [name, text('root'), text('host', 'address'), text('openPath', 'address'), text('runCommand')],
  livePage: [name, url],
  folder: [name],
  request: [
    name,
    text('method', 'address'),
    url,
    text('comment'),
    text('body'),
    keysOf('params'),
    keysOf('headers'),
    ...scripts
  ],
  document: [name, text('content')]
}

const bodies = z.record(z.string(), z.unknown())

/** The content of a record, as its row holds it. */
export function bodyOf({ body }: Pick<Row, 'body'>): Readonly<Record<string, unknown>> {
  return bodies.parse(JSON.parse(body))
}

/** The texts of a record in which words are found. */
export function* fieldTexts(kind: RestorableKind, body: Readonly<Record<string, unknown>>): Generator<FieldText, void> {
  for (const { field, weight, textOf } of FIELDS[kind]) {
    yield { field, weight, text: textOf(body[field]).slice(0, LIMITS.searchText.max) }
  }
}
