import type { Schemas } from '@collections-hub/client'
import { fieldName } from './fieldNames.js'
import type { Kind } from './records.js'

export type KeyValue = Schemas['KeyValue']
export type Variable = Schemas['Variable']
export type Auth = Schemas['Auth']

/** The content of a record by its kind. */
export interface Contents {
  readonly collection: Schemas['Collection']
  readonly folder: Schemas['Folder']
  readonly request: Schemas['SavedRequest']
  readonly document: Schemas['Document']
  readonly environment: Schemas['Environment']
  readonly snippet: Schemas['Snippet']
  readonly liveServer: Schemas['LiveServer']
  readonly livePage: Schemas['LivePage']
}

/** The methods that a request can have. */
export const METHODS = [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS'
] as const satisfies readonly Schemas['SavedRequest']['method'][]

/** The fields of each kind that are edited here, in the order in which they are shown. */
export const FIELDS = {
  request: [
    'name',
    'method',
    'url',
    'params',
    'headers',
    'auth',
    'bodyType',
    'body',
    'preRequestScript',
    'postRequestScript',
    'comment'
  ],
  document: ['name', 'content'],
  folder: ['name'],
  collection: ['name', 'variables', 'headers', 'auth', 'preRequestScript', 'postRequestScript'],
  environment: ['name', 'parentUuid', 'variables'],
  snippet: ['name', 'scope', 'code'],
  liveServer: [
    'name',
    'root',
    'host',
    'port',
    'watch',
    'openPath',
    'openPathOnStartup',
    'runCommand',
    'runCommandEnabled',
    'restartOnCrash',
    'runCommandEnv',
    'urlVariable'
  ],
  livePage: ['name', 'url', 'homeUrl', 'userAgent']
} as const satisfies { readonly [K in Kind]: readonly (keyof Contents[K])[] }

export type Field = (typeof FIELDS)[Kind][number]

/** What is edited of a record of a kind. */
export type Form<K extends Kind> = {
  readonly [One in K]: Pick<Contents[One], keyof Contents[One] & (typeof FIELDS)[One][number]>
}[K]

/** Every field of a record that somebody edits, with what it holds. A name means the same in each kind that has it. */
export type Fields = Form<'request'> &
  Form<'document'> &
  Form<'collection'> &
  Form<'environment'> &
  Form<'snippet'> &
  Form<'liveServer'> &
  Form<'livePage'>

/** Some fields, of whatever kind. */
export type Part = Partial<Fields>

/** What is edited of a record. */
export function formOf({ kind, content }: { readonly kind: Kind; readonly content: object }): Part {
  // The kind has these fields. What it has beside them may be called as a field of another kind is.
  return pick(content as Part, FIELDS[kind])
}

/** These fields of a form. */
export function pick(form: Part, fields: readonly Field[]): Part {
  return Object.fromEntries(fields.map((field) => [field, form[field]]))
}

/** The fields in which two forms differ. */
export function changedFields(fields: readonly Field[], from: Part, to: Part): readonly Field[] {
  return fields.filter((field) => !isSame(from[field], to[field]))
}

/** Whether two values that JSON can hold are the same. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  const keys = Object.keys(a)
  if (Array.isArray(a) !== Array.isArray(b) || keys.length !== Object.keys(b).length) return false
  return keys.every((key) => Object.hasOwn(b, key) && isSame(Reflect.get(a, key), Reflect.get(b, key)))
}

/** What a form calls the fields that are told as something else once they are filled in. */
const IN_FORMS: Readonly<Partial<Record<Field, string>>> = {
  bodyType: 'Type of body',
  code: 'Code',
  watch: 'Load anew when files change',
  openPathOnStartup: 'Open it when it starts',
  runCommandEnabled: 'Run the command',
  restartOnCrash: 'Start it again where it ends'
}

/** What people call a field that is filled in. */
export const labelOf = (field: Field): string => IN_FORMS[field] ?? fieldName(field)
