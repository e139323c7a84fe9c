import { pathNamesIn } from './pathVariables.js'
import { type Filling, type Sent, textsOf } from './sent.js'
import { REFERENCE } from './variables.js'

/** So many are named; of more only how many. */
const NAMED_MOST = 12

/**
 * What of a request that is copied nothing was filled in for, as a sentence with the reason for each: its references to variables, and
 * the variables in the path of its URL. Null where there is nothing.
 */
export function leftOpenText(sent: Sent, filling: Filling): string | null {
  const references = [...textsOf(sent).join('\n').matchAll(REFERENCE)]
  const all = new Map(pathNamesIn(sent.url).map((name) => [`:${name}`, whyOpen(name, filling)]))
  for (const [, name = ''] of references) all.set(`{{${name}}}`, whyOpen(name, filling))
  if (all.size === 0) return null
  const named = [...all].slice(0, NAMED_MOST).map(([text, why]) => `${text} (${why})`)
  const more = all.size - named.length
  return `Not filled in: ${named.join(', ')}${more > 0 ? `, and ${more} more` : ''}.`
}

function whyOpen(name: string, { variables, withSecrets }: Filling): string {
  if (name.startsWith('$')) return 'made anew for each request'
  const known = variables.get(name)
  if (!known) return 'nothing sets it'
  if (known.isSecret && !withSecrets) return 'secret'
  return known.value === '' ? 'empty' : 'it stands for itself'
}
