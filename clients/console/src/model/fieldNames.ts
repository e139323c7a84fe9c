/** What people call the fields of records, in front of a value: those that stand here for all kinds, the others by their name. */
const NAMES: Readonly<Record<string, string>> = {
  url: 'URL',
  params: 'Parameters',
  auth: 'Authorization',
  'auth/type': 'Authorization',
  'auth/basic/username': 'Authorization: user',
  'auth/basic/password': 'Authorization: password',
  'auth/bearer/token': 'Authorization: token',
  bodyType: 'Type of the body',
  preRequestScript: 'Script before the request',
  postRequestScript: 'Script after the response',
  content: 'Text',
  code: 'Script',
  scope: 'When it runs',
  marker: 'Colour',
  collectionId: 'Collection',
  folderId: 'Folder',
  parentFolderId: 'Folder',
  parentUuid: 'Builds on',
  root: 'Folder',
  watch: 'Loads anew when files change',
  openPath: 'Path to open',
  openPathOnStartup: 'Opens when it starts',
  rememberLastUrl: 'Opens where it was last',
  lastOpenedPath: 'Was last at',
  runCommand: 'Command',
  runCommandEnabled: 'Runs the command',
  runCommandEnv: 'Environment of the command',
  restartOnCrash: 'Starts it again where it ends',
  runtimeId: 'Runtime',
  urlVariable: 'Variable with its address',
  cors: 'CORS',
  ssl: 'TLS',
  homeUrl: 'Home page',
  faviconDataUrl: 'Icon',
  preRequestScripts: 'Scripts before requests',
  postRequestScripts: 'Scripts after responses',
  sortOrder: 'Place',
  deletionLocked: 'Deletion'
}

/** Fields that tell how a record is kept, and nothing of what people have put into it. */
const TECHNICAL =
  /^(?:id|createdAt|updatedAt|createdBy|updatedBy|createdByUserId|updatedByUserId|previousCollectionId|deletionPositions|origin)(?:\/|$)/

/** What people call a field by its path without the first slash: `auth/basic/password`. */
export function fieldName(path: string): string {
  return NAMES[path] ?? path.split('/').map(spoken).join(': ')
}

/** A name of a field within a sentence: `headers`, but `URL`. */
export function fieldInSentence(path: string): string {
  const name = fieldName(path)
  return name.slice(0, 2) === name.slice(0, 2).toUpperCase() ? name : lowered(name)
}

/** Whether a field says nothing of its own to who reads what has changed. */
export const isTechnical = (path: string): boolean => TECHNICAL.test(path)

/** Whether a field holds a URL, or what stands behind the host of one. */
export const isUrlField = (field: string): boolean => /^(?:url|homeUrl|openPath|lastOpenedPath)$/.test(field)

/** `collectionAccess` as people write it; items of a list count from 1. */
function spoken(step: string, index: number): string {
  if (/^\d+$/.test(step)) return String(Number(step) + 1)
  const words = step.replace(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase()
  return index === 0 ? `${words.slice(0, 1).toUpperCase()}${words.slice(1)}` : words
}

const lowered = (name: string) => `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`

const FLAGS: Readonly<Record<string, readonly [string, string]>> = {
  enabled: ['on', 'off'],
  deletionLocked: ['locked', 'not locked'],
  share: ['shared', 'not shared']
}
const REFERENCES = new Set(['collectionId', 'folderId', 'parentFolderId', 'parentUuid'])
const NOWHERE: Readonly<Record<string, string>> = {
  folderId: 'none, at the root of the collection',
  parentFolderId: 'none, at the root of the collection',
  parentUuid: 'nothing'
}

/** Gives the name that a record has, by its id; undefined where it is not known any more. */
export type NameOf = (id: string) => string | undefined

/** A value as people read it; null where there is none. */
export function valueText(field: string, value: unknown, nameOf: NameOf): string | null {
  if (value === undefined) return null
  if (value === null) return NOWHERE[field] ?? null
  if (typeof value === 'boolean') return (FLAGS[field] ?? ['yes', 'no'])[value ? 0 : 1]
  if (typeof value === 'number') return String(field === 'sortOrder' ? value + 1 : value)
  if (typeof value !== 'string') return JSON.stringify(value, null, 2)
  return REFERENCES.has(field) ? (nameOf(value) ?? 'one that is gone') : value
}
