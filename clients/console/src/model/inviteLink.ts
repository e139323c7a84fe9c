import type { Schemas } from '@collections-hub/client'
import { ACCESS_LISTS, EACH_LIST, opensAll } from './access.js'
import { capitalized } from './words.js'

type Invited = Pick<Schemas['User'], 'name' | 'role' | (typeof EACH_LIST)[number] | 'llmAccess'>

/** The tenant that the hub itself is. */
const ITSELF = '__default__'

/**
 * The link that opens the join page of a hub for who is invited. What is shown there stands in the query, the secret behind `#`
 * alone, which no browser sends. It names the tenant that they are invited to, unless that is the hub itself.
 */
export function inviteLink(
  hubUrl: string,
  user: Invited,
  { expiresAt, secret }: { readonly expiresAt: string; readonly secret: string },
  tenant = ITSELF
): string {
  const url = hubUrl.replace(/\/+$/, '')
  const query = new URLSearchParams({
    url,
    name: user.name,
    role: user.role,
    exp: expiresAt,
    access: summary(user)
  })
  if (tenant !== ITSELF) query.set('tenant', tenant)
  return `${url}/join?${query}#code=${secret}`
}

function summary(user: Invited): string {
  const amount = (ids: readonly string[]) => (opensAll(ids) ? 'all' : ids.length === 0 ? 'none' : String(ids.length))
  const lists = EACH_LIST.map((list) => {
    const { plural } = ACCESS_LISTS[list]
    return `${capitalized(plural)}: ${amount(user[list])}`
  })
  return [...lists, `LLM: ${user.llmAccess ? 'enabled' : 'disabled'}`].join(' · ')
}

/** What is wrong with the address of a hub that somebody has typed; undefined where nothing is. */
export function addressFault(typed: string): string | undefined {
  const url = urlOf(typed.trim())
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  return isWeb && url.search === '' && url.hash === ''
    ? undefined
    : 'This must be an address that begins with https://.'
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$|\.localhost$/

/** Whether an address leads to the machine itself, whichever that is. */
export const isLoopback = (hubUrl: string): boolean => LOOPBACK.test(urlOf(hubUrl)?.hostname ?? '')

const urlOf = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined)
