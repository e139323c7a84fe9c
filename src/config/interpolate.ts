import { isScalar } from 'yaml'
import { type ConfigDocument, visits } from './document.js'
import { type ConfigProblem, keyOf, type Path } from './problems.js'

export type Env = Readonly<Record<string, string | undefined>>

const REFERENCE = /(\$?)\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g

/**
 * `text` with `${NAME}` and `${NAME:-default}` replaced from `env`, where an empty value counts as unset, and
 * `$${NAME}` as the literal `${NAME}`. Values are not interpolated again. `missing` lists the names that have neither
 * a value nor a default; their references stay as they are.
 */
export function interpolate(text: string, env: Env): { readonly text: string; readonly missing: readonly string[] } {
  const missing: string[] = []
  const replaced = text.replace(REFERENCE, (reference: string, escaped: string, name: string, fallback?: string) => {
    if (escaped !== '') return reference.slice(1)
    const value = (Object.hasOwn(env, name) && env[name]) || fallback
    if (value !== undefined) return value
    missing.push(name)
    return reference
  })
  return { text: replaced, missing }
}

/** The names of the variables that a text refers to. */
export function referencesIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(REFERENCE)].flatMap(([, , name]) => (name === undefined ? [] : [name])))
}

/** Interpolates, in place, every string of the document that is not a key. Returns where a variable was missing. */
export function interpolateDocument(
  { tree, lineOf }: ConfigDocument,
  env: Env
): readonly (ConfigProblem & { readonly path: Path })[] {
  return [...visits(tree.contents)].flatMap(({ node, path }) => {
    if (!isScalar(node) || typeof node.value !== 'string') return []
    const { text, missing } = interpolate(node.value, env)
    node.value = text
    const key = keyOf(path)
    return missing.map((name) => {
      const message = `Missing environment variable ${name} for config key ${key}.`
      return { path, line: lineOf(path), key, message }
    })
  })
}
