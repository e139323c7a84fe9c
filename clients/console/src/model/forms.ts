import type { Schemas } from '@collections-hub/client'
import type { Kind } from './records.js'

export type KeyValue = Schemas['KeyValue']
export type Variable = Schemas['Variable']
export type Auth = Schemas['Auth']

type SavedRequest = Schemas['SavedRequest']

/** The methods that a request can have. */
export const METHODS = [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS'
] as const satisfies readonly SavedRequest['method'][]

/** Every field of a record that somebody edits, with what it holds. A name means the same in each kind that has it. */
export interface Fields {
  readonly name: string
  readonly method: SavedRequest['method']
  readonly url: string
  readonly params: readonly KeyValue[]
  readonly headers: readonly KeyValue[]
  readonly auth: Auth
  readonly bodyType: SavedRequest['bodyType']
  readonly body: string
  readonly preRequestScript: string
  readonly postRequestScript: string
  readonly comment: string
  readonly content: string
  readonly variables: readonly Variable[]
  readonly parentUuid: string | null
  readonly code: string
  readonly scope: Schemas['Snippet']['scope']
  readonly root: string
  readonly host: string
  /** Null for any that is free. */
  readonly port: number | null
  readonly watch: boolean
  readonly openPath: string
  readonly openPathOnStartup: boolean
  readonly runCommand: string
  readonly runCommandEnabled: boolean
  readonly runCommandEnv: readonly KeyValue[]
  readonly restartOnCrash: boolean
  readonly urlVariable: string
  readonly homeUrl: string
  readonly userAgent: string
}
export type Field = keyof Fields

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
} as const satisfies Readonly<Record<Kind, readonly Field[]>>

/** What is edited of a record of a kind. */
export type Form<K extends Kind = Kind> = Pick<Fields, (typeof FIELDS)[K][number]>

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

/** What people call each field. */
export const LABELS: Readonly<Record<Field, string>> = {
  name: 'Name',
  method: 'Method',
  url: 'URL',
  params: 'Parameters',
  headers: 'Headers',
  auth: 'Authorization',
  bodyType: 'Type of body',
  body: 'Body',
  preRequestScript: 'Script before the request',
  postRequestScript: 'Script after the response',
  comment: 'Comment',
  content: 'Text',
  variables: 'Variables',
  parentUuid: 'Builds on',
  code: 'Code',
  scope: 'When it runs',
  root: 'Folder',
  host: 'Host',
  port: 'Port',
  watch: 'Load anew when files change',
  openPath: 'Path to open',
  openPathOnStartup: 'Open it when it starts',
  runCommand: 'Command',
  runCommandEnabled: 'Run the command',
  runCommandEnv: 'Environment of the command',
  restartOnCrash: 'Start it again where it ends',
  urlVariable: 'Variable with its address',
  homeUrl: 'Home page',
  userAgent: 'User agent'
}
