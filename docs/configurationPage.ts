import { isMapping } from '../src/config/fields.js'
import type { JsonSchema } from '../src/config/jsonSchema.js'
import { parseConfig } from '../src/config/load.js'
import { fileForm } from '../src/config/print.js'
import { driverOf } from './describedSchema.js'

interface Row {
  readonly key: string
  readonly schema: JsonSchema
  readonly isRequired: boolean
}

const BASE = '/etc/hub'
const SERVER = { server: { host: '127.0.0.1', port: 8787 } }
const SQLITE = { db: { driver: 'sqlite', path: 'data/hub.sqlite' } }
const LOGIN = { host: 'h', port: 1, user: 'u', password: 'p', database: 'd' }
const LLM = { providers: { openai: { apiKey: 'k' }, claude: { apiKey: 'k' }, gemini: { apiKey: 'k' } } }
/** What each driver cannot do without. */
const DRIVERS: Readonly<Record<string, object>> = {
  sqlite: SQLITE,
  postgres: { db: { driver: 'postgres', ...LOGIN } },
  mysql: { db: { driver: 'mysql', ...LOGIN } },
  firestore: { db: { driver: 'firestore', projectId: 'p' } },
  redis: { ...SQLITE, redis: { host: 'h', port: 1 } }
}

/** The page of all settings, made from the schema with its descriptions; what is the default says the code. */
export function configurationPage(schema: JsonSchema): string {
  const sections = Object.entries(schema.properties ?? {}).flatMap(([name, section]) =>
    typeof section === 'boolean' ? [] : [sectionText(name, section)]
  )
  return `${HEAD}\n\n${sections.join('\n\n')}\n`
}

const HEAD = `# Configuration

\`server.yaml\` in the current directory, the file that the variable \`HUB_CONFIG\` names, or before both the one that \`-c\` names.
[server.yaml.example](../server.yaml.example) shows every key in
its place, and [server.schema.json](server.schema.json) lets editors complete and check it: a first line
\`# yaml-language-server: $schema=PATH\` names it, and \`hub config schema\` prints it.

- \`hub config check\` tells every problem with file, line and key, before a start or a reload; \`hub config print\` what is in force,
  with its defaults and without its secrets. Unknown keys are errors; sections whose name starts with \`x-\` are yours, for anchors.
- The environment wins over the file: \`HUB_DB_PASSWORD\` sets \`db.password\`, \`HUB_SERVER_PUBLIC_URL\` \`server.publicUrl\`, and so on for
  every key with a single value. \`HUB_DB_PASSWORD_FILE\` names a file that holds the value, such as a mounted secret.
  Where \`-c\` names the file, stderr says which variables change it; \`--no-env\` leaves them out, but for those that the file itself
  refers to.
- In any text, \`\${NAME}\` and \`\${NAME:-default}\` stand for variables, and \`$\${NAME}\` for the text itself. Numbers may be given as text.
  Relative paths start at the directory of the file.
- \`POST /admin/config/reload\` or SIGHUP reads the file again; sections that say nothing of a reload need a restart.

This page is written by \`npm run docs\`: texts from the example, values and defaults from the code.`

function sectionText(name: string, section: JsonSchema): string {
  const forms = alternatives(section).filter(({ properties }) => properties !== undefined)
  if (forms.length === 0) {
    const value = `Value: ${valueText(section)}. Default: ${defaultOf(name, '')}.`
    return [`## ${name}`, section.description, value].join('\n\n')
  }
  const parts = forms.map((form) => {
    const driver = forms.length > 1 ? driverOf(form) : undefined
    const heading = driver === undefined ? [] : [`### \`driver: ${driver}\``]
    const table = ['| Key | Value | Default | |', '|---|---|---|---|', ...rows(form, name).map(rowText(driver ?? ''))]
    return [...heading, table.join('\n')].join('\n\n')
  })
  return [`## ${name}`, ...(section.description === undefined ? [] : [section.description]), ...parts].join('\n\n')
}

/** The keys below `at` that have a description of their own, those of a mapping behind it. */
function rows(schema: JsonSchema, at: string): readonly Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, below]) => {
    if (typeof below === 'boolean' || isPlaceholder(name)) return []
    const key = `${at}.${name}`
    const row = { key, schema: below, isRequired: schema.required?.includes(name) ?? false }
    return [row, ...alternatives(below).flatMap((form) => rows(listed(form), key))]
  })
}

const rowText =
  (driver: string) =>
  ({ key, schema, isRequired }: Row): string => {
    const usual = isRequired ? 'required' : defaultOf(key, driver)
    const cells = [`\`${key}\``, valueText(schema), usual, schema.description ?? '']
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  }

/** What may be given, in words. */
function valueText(schema: JsonSchema): string {
  const forms = alternatives(schema).filter((form) => form.type !== 'null' && !isPlaceholder(form.const))
  // Numbers and flags may be texts as well, since variables are.
  const plain = forms.filter((form) => form.type !== 'string' || isWord(form))
  const texts = [...new Set((plain.length > 0 ? plain : forms).map(formText))]
  return texts.join(' or ')
}

/** True for words of their own, and not those that a flag has as a text. */
function isWord({ enum: several }: JsonSchema): boolean {
  return several !== undefined && !several.includes('true')
}

function formText({
  type,
  const: only,
  enum: several,
  minimum,
  exclusiveMinimum,
  maximum,
  writeOnly
}: JsonSchema): string {
  if (only !== undefined) return `\`${String(only)}\``
  if (several !== undefined) return several.map((one) => `\`${String(one)}\``).join(', ')
  if (type === 'boolean') return '`true`, `false`'
  if (type === 'array') return 'list'
  if (type === 'object') return 'mapping'
  if (type === 'string') return writeOnly === true ? 'text, a secret' : 'text'
  if (maximum === undefined || maximum >= 2 ** 31 - 1) return `number from ${minimum ?? 0}`
  return exclusiveMinimum === undefined ? `${minimum} to ${maximum}` : `above ${exclusiveMinimum}, to ${maximum}`
}

/** What is in force where the key is not given, as the code says it; nothing for what has to be given. */
function defaultOf(key: string, driver: string): string {
  const needed = { ...SERVER, ...SQLITE, redis: { driver: 'memory' }, ...DRIVERS[driver] }
  // Keys of a mapping that is not there by default have their defaults once it is.
  const given = [needed, whole(needed)].find((one) => valueAt(formOf(one), key).isReached)
  if (given === undefined || valueAt(given, key).value !== undefined) return ''
  const { value } = valueAt(formOf(given), key)
  if (value === undefined || value === null || value === '') return ''
  return `\`${JSON.stringify(value).replaceAll(`${BASE}/`, './').replaceAll('"', '')}\``
}

function whole(needed: object): object {
  const encrypted = Object.entries(needed).map(([name, section]) => {
    const { driver, ...rest }: Readonly<Record<string, unknown>> = { ...section }
    const isServer = (name === 'db' && 'user' in rest) || (name === 'redis' && 'host' in rest)
    return [name, isServer ? { ...section, tls: true } : section]
  })
  const llm = { ...LLM, mcp: [{ name: 't', url: 'https://t.example' }] }
  return { ...Object.fromEntries(encrypted), llm, audit: { witness: { url: 'https://w.example' } } }
}

/** A name that stands for a provider where it is not to be named. */
function isPlaceholder(name: unknown): boolean {
  return typeof name === 'string' && name.startsWith('provider_')
}

/** What is in force with this file. */
function formOf(given: object): unknown {
  const { config } = parseConfig(JSON.stringify(given), 'server.yaml', BASE, {})
  return JSON.parse(JSON.stringify(fileForm(config)))
}

/** The value of a key, in the first entry of a list; `isReached` says that what it belongs to is there. */
function valueAt(root: unknown, key: string): { readonly isReached: boolean; readonly value?: unknown } {
  let value = root
  for (const name of key.split('.')) {
    const inner: unknown = Array.isArray(value) ? value[0] : value
    if (!isMapping(inner)) return { isReached: false }
    value = inner[name]
  }
  return { isReached: true, value }
}

/** What a value may be, each for itself; a secret is one in every form. */
function alternatives(schema: JsonSchema): readonly JsonSchema[] {
  const { anyOf, oneOf, type, writeOnly } = schema
  const several = anyOf ?? oneOf
  if (several !== undefined)
    return several.flatMap((one) => alternatives({ ...one, ...(writeOnly !== undefined && { writeOnly }) }))
  return Array.isArray(type) ? type.map((one) => ({ ...schema, type: one })) : [schema]
}

/** The items of a list, or the schema itself. */
function listed(schema: JsonSchema): JsonSchema {
  const { items } = schema
  return items === undefined || typeof items === 'boolean' || Array.isArray(items) ? schema : items
}
