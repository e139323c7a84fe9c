import type { EnvironmentOfFile, Notes } from '../../formats/model.js'
import { type BruBlocks, bruBlocks, bruRows, CUT_OFF } from '../bru.js'
import { fields, objects, text } from '../loose.js'
import { variable } from '../parts.js'

/** True for environments that Bruno has exported as JSON: one, or a list of them. */
export const isBrunoEnvironments = (value: unknown): boolean => {
  const marked = (one: unknown) => fields(fields(one).info).type === 'bruno-environment'
  return Array.isArray(value) ? value.some(marked) : marked(value)
}

/** Reads the environments of such a file. */
export function readBrunoEnvironments(value: unknown): readonly EnvironmentOfFile[] {
  const { environments } = fields(value)
  const all = Array.isArray(value) ? value : Array.isArray(environments) ? environments : [value]
  return all.map(brunoEnvironment)
}

/** One environment as exports of collections have it too. */
export function brunoEnvironment(value: unknown): EnvironmentOfFile {
  const { name, variables } = fields(value)
  return {
    sourceId: null,
    name: text(name),
    variables: objects(variables).map(({ name, value, enabled, secret }) =>
      variable(name, value, enabled !== false, secret === true)
    ),
    parent: null
  }
}

/** True for the text of a `.bru` file of an environment. */
export const isBruEnvironment = (text: string): boolean => /^vars(:secret)?[ \t]*[{[][ \t]*\r?$/m.test(text)

/** Reads a `.bru` file of an environment. Bruno keeps the values of secrets elsewhere: they are empty. */
export function readBruEnvironment(name: string, text: string, notes: Notes): EnvironmentOfFile {
  const blocks = bruBlocks(text, () => notes.add(name, CUT_OFF))
  if ([...blocks.keys()].some((one) => one.startsWith('vars:externalsecrets')))
    notes.add(name, 'Secrets of another service are not carried over.')
  const rows = bruRows(blocks, 'vars').map(({ name, value, enabled }) => variable(name, value, enabled))
  return { sourceId: null, name, variables: [...rows, ...secretsIn(blocks)], parent: null }
}

const secretsIn = (blocks: BruBlocks) =>
  (blocks.get('vars:secret') ?? [])
    .flatMap((line) => line.split(','))
    .map((one) => one.trim())
    .filter((one) => one !== '' && !one.startsWith('@'))
    .map((one) => variable(one.replace(/^~/, ''), '', !one.startsWith('~'), true))
