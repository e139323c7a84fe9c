import type { EnvironmentOfFile, Notes } from '../../formats/model.js'
import { type Fields, fields, list, objects, text, textOrNull } from '../loose.js'
import { variable } from '../parts.js'

/** True for an environment of Postman, or its globals, as a file or as its interface answers with it. */
export function isPostmanEnvironment(value: unknown): boolean {
  const { values, name, _postman_variable_scope: scope } = environmentIn(value)
  if (!Array.isArray(values)) return false
  const isKeyed = list(values).every((one) => typeof fields(one).key === 'string')
  return typeof scope === 'string' || (isKeyed && typeof name === 'string')
}

const environmentIn = (value: unknown): Fields => {
  const whole = fields(value)
  return 'environment' in whole ? fields(whole.environment) : whole
}

/** Reads an environment of Postman, or its globals. */
export function readPostmanEnvironment(value: unknown, notes: Notes): EnvironmentOfFile {
  const whole = environmentIn(value)
  const name = text(whole.name) || (whole._postman_variable_scope === 'globals' ? 'Globals' : '')
  return {
    sourceId: textOrNull(whole.id),
    name,
    variables: objects(whole.values).map(({ key, value, enabled, type, description }) => {
      if (textOrNull(description) !== null) notes.add(name, 'Descriptions of single variables are not carried over.')
      return variable(key, value, enabled !== false, type === 'secret')
    }),
    parent: null
  }
}
