import { type Notes, newNotes } from '../formats/model.js'
import { bruFile, ENDS_EARLY, endsEarly, hasCrLf, LINE_ENDS, rowsBlock } from './bru.js'
import { type EnvironmentFormat, type Exported, stemOf } from './exported.js'
import { type Environment, harborClientEnvironment } from './harborclient.js'
import { jsonText, type WrittenVariable, writtenVariables, yamlText } from './written.js'

const ENDINGS: Readonly<Record<EnvironmentFormat, string>> = {
  postman: 'postman_environment.json',
  insomnia: 'insomnia.yaml',
  bruno: 'bru',
  opencollection: 'yml',
  harborclient: 'harborclient.json'
}
const TYPES: Readonly<Record<EnvironmentFormat, string>> = {
  postman: 'application/json; charset=utf-8',
  insomnia: 'application/yaml; charset=utf-8',
  bruno: 'text/plain; charset=utf-8',
  opencollection: 'application/yaml; charset=utf-8',
  harborclient: 'application/json; charset=utf-8'
}

/** The same with the values that are in force. */
type Written = Omit<Environment, 'variables'> & { readonly variables: readonly WrittenVariable[] }

/** Writes an environment as a file of another tool. The same environment always gives the same bytes. */
export function writeEnvironment(environment: Environment, format: EnvironmentFormat): Exported {
  const { name } = environment
  const notes = newNotes()
  const text = format === 'harborclient' ? harborClientText(environment, notes) : textOf(environment, format, notes)
  const bytes = Buffer.from(text)
  return { bytes, fileName: `${stemOf(name)}.${ENDINGS[format]}`, contentType: TYPES[format], notes: notes.list() }
}

function harborClientText(environment: Environment, notes: Notes): string {
  if (environment.parentUuid !== null)
    notes.add(environment.name, 'The environment that it adds to is a file of its own.')
  return jsonText(harborClientEnvironment(environment, notes))
}

function textOf(whole: Environment, format: Exclude<EnvironmentFormat, 'harborclient'>, notes: Notes): string {
  const { name, parentUuid } = whole
  if (parentUuid !== null) notes.add(name, 'That it adds to another environment is left out.')
  const variables = writtenVariables(whole.variables, name, notes, { secrets: format !== 'insomnia' })
  const environment = { ...whole, variables }
  switch (format) {
    case 'postman':
      return jsonText(postmanOf(environment))
    case 'insomnia':
      return yamlText(insomniaOf(environment, notes))
    case 'bruno':
      return bruOf(environment, notes)
    case 'opencollection':
      return yamlText(openOf(environment, notes))
  }
}

const postmanOf = ({ id, name, variables }: Written) => ({
  ...{ id, name },
  values: variables.map((one) => ({
    ...{ key: one.key, value: one.value, type: one.share ? 'default' : 'secret', enabled: one.enabled }
  })),
  _postman_variable_scope: 'environment'
})

/** Insomnia has an object of values, of which none is disabled and none by itself is kept from others. */
function insomniaOf({ id, name, variables }: Written, notes: Notes): object {
  const sent = variables.filter(({ enabled }) => enabled)
  if (sent.length < variables.length) notes.add(name, 'Variables that are disabled are left out: Insomnia has none.')
  const data = new Map(sent.map((one) => [one.key, named(one.value)]))
  if (data.size < sent.length) notes.add(name, 'Of variables with the same name the last one is kept.')
  return {
    type: 'environment.insomnia.rest/5.0',
    ...{ name, meta: { id: `wrk_${id}` } },
    environments: { name: 'Base Environment', meta: { id: `env_${id}` }, data }
  }
}

/** Variables in a value, as Insomnia calls them. */
const named = (value: string) => value.replace(/\{\{([\w.-]+)\}\}/g, '{{ _.$1 }}')

const SECRETS = 'Values that are not shared are left out: Bruno keeps those of secrets on each machine.'

function bruOf({ name, variables }: Written, notes: Notes): string {
  const shared = variables.filter(({ share }) => share)
  const secrets = variables.filter(({ share }) => !share)
  if (secrets.some((one) => one.value !== '')) notes.add(name, SECRETS)
  if (endsEarly(shared)) notes.add(name, ENDS_EARLY)
  if (hasCrLf(shared)) notes.add(name, LINE_ENDS)
  const unnamed = secrets.filter(({ key }) => !/^[^\s,[\]~@]+$/.test(key))
  if (unnamed.length > 0) notes.add(name, 'Secrets whose names Bruno cannot have are left out.')
  const lines = secrets
    .filter((one) => !unnamed.includes(one))
    .map(({ key, enabled }, i, all) => `  ${enabled ? '' : '~'}${key}${i < all.length - 1 ? ',' : ''}`)
  const vars = shared.length === 0 ? ['vars {', '}', ''] : rowsBlock('vars', shared)
  return bruFile(vars, lines.length === 0 ? [] : ['vars:secret [', ...lines, ']', ''])
}

function openOf({ name, variables }: Written, notes: Notes): object {
  if (variables.some((one) => !one.share && one.value !== '')) notes.add(name, SECRETS)
  const off = ({ enabled }: WrittenVariable) => !enabled && { disabled: true }
  return {
    name,
    variables: variables.map((one) =>
      one.share ? { name: one.key, value: one.value, ...off(one) } : { secret: true, name: one.key, ...off(one) }
    )
  }
}
