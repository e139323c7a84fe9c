import { partsOf, type TextPart } from './variables.js'

/** What a variable in a path can be called: a port begins with a digit, and is none. */
const NAME = '[\\p{L}_][\\p{L}\\p{N}_-]*'
const SEGMENT = new RegExp(`(?<=/):(${NAME})(?=/|$)`, 'gu')
const WHOLE_NAME = new RegExp(`^${NAME}$`, 'u')

/** The variables in the path of a URL, and where they stand: parts of it that are a colon and a name, as in `/users/:id`. */
function foundIn(url: string) {
  const start = /^[^/?#]*:\/\/[^/?#]*/.exec(url)?.[0].length ?? 0
  const path = /^[^?#]*/.exec(url.slice(start))?.[0] ?? ''
  return [...path.matchAll(SEGMENT)].map(({ 0: { length }, 1: name = '', index }) => {
    return { name, from: start + index, to: start + index + length }
  })
}

/** The names of the variables in the path of a URL, each once, in their order. */
export const pathNamesIn = (url: string): readonly string[] => [...new Set(foundIn(url).map(({ name }) => name))]

/** Whether a variable of this name can stand in a path. */
export const isPathName = (name: string): boolean => WHOLE_NAME.test(name)

/** A URL with the variables in its path filled in; one stays as it is where there is no value for it. */
export function pathFilledIn(url: string, valueFor: (name: string) => string | null): string {
  const parts: string[] = []
  let at = 0
  for (const { name, from, to } of foundIn(url)) {
    parts.push(url.slice(at, from), valueFor(name) ?? url.slice(from, to))
    at = to
  }
  return parts.join('') + url.slice(at)
}

/** A URL in parts, with each reference to a variable and each variable in its path on its own. */
export function urlPartsOf(url: string): readonly TextPart[] {
  const parts: TextPart[] = []
  let at = 0
  for (const { name, from, to } of foundIn(url)) {
    parts.push(...partsOf(url.slice(at, from)), { text: url.slice(from, to), name })
    at = to
  }
  return [...parts, ...partsOf(url.slice(at))]
}
