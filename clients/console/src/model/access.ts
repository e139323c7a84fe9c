import type { Schemas } from '@collections-hub/client'
import { count, counted } from './numbers.js'
import { wordFor } from './records.js'
import { capitalized } from './words.js'

/** What decides about what an account may use. */
export type Access = Pick<
  Schemas['User'],
  'exactRole' | AccessList | 'llmAccess' | 'llmModels' | 'llmMonthlyTokenLimit'
>

/** The access lists of an account with what stands in each. */
export const ACCESS_LISTS = {
  collectionAccess: { kind: 'collection', plural: 'collections' },
  environmentAccess: { kind: 'environment', plural: 'environments' },
  snippetAccess: { kind: 'snippet', plural: 'snippets' },
  liveServerAccess: { kind: 'liveServer', plural: 'live servers' },
  livePageAccess: { kind: 'livePage', plural: 'live pages' }
} as const

export type AccessList = keyof typeof ACCESS_LISTS
const isAccessList = (text: string): text is AccessList => Object.hasOwn(ACCESS_LISTS, text)

/** Every access list, in the order in which people are told of them. */
export const EACH_LIST: readonly AccessList[] = Object.keys(ACCESS_LISTS).filter(isAccessList)

const WILDCARD = '*'

/** Whether a list opens everything, also what is made later. */
export const opensAll = (ids: readonly string[]): boolean => ids.includes(WILDCARD)

/** How much a list opens, in words: `all`, `no` or a number. */
function amount(ids: readonly string[]): string {
  return opensAll(ids) ? 'all' : ids.length === 0 ? 'no' : count(ids.length)
}

/** What accounts are for that work with no records. */
export const WITHOUT_RECORDS: Readonly<Partial<Record<Access['exactRole'], string>>> = {
  admin: 'Manages this hub',
  accountAdmin: 'Manages accounts of users, and groups',
  auditor: 'Reads the audit'
}

/** What a role is called. */
export const ROLE_NAMES: Readonly<Record<Access['exactRole'], string>> = {
  user: 'User',
  admin: 'Administrator',
  accountAdmin: 'Administrator of accounts',
  auditor: 'Auditor'
}

/** What an account may use, as people say it: `All collections, 2 environments, no snippets or live servers; no models`. */
export function accessInWords(account: Access): string {
  const purpose = WITHOUT_RECORDS[account.exactRole]
  if (purpose !== undefined) return purpose
  return capitalized(`${recordsInWords(account)}; ${modelsInWords(account)}`)
}

const both = new Intl.ListFormat('en-GB', { type: 'conjunction' })
const either = new Intl.ListFormat('en-GB', { type: 'disjunction' })

/** First what is open without bounds, then what is counted, then what is closed. */
function recordsInWords(account: Access): string {
  const whose = (are: string) => EACH_LIST.filter((list) => amount(account[list]) === are)
  const names = (lists: readonly AccessList[]) => lists.map((list) => ACCESS_LISTS[list].plural)
  const [all, none] = [whose('all'), whose('no')]
  const some = EACH_LIST.filter((list) => !all.includes(list) && !none.includes(list))
  return [
    ...(all.length > 0 ? [`all ${both.format(names(all))}`] : []),
    ...some.map((list) => listInWords(list, account[list])),
    ...(none.length > 0 ? [`no ${either.format(names(none))}`] : [])
  ].join(', ')
}

/** What one list opens: `all collections`, `2 environments`, `no snippets`. */
export function listInWords(list: AccessList, ids: readonly string[]): string {
  const { kind, plural } = ACCESS_LISTS[list]
  return `${amount(ids)} ${ids.length === 1 && !opensAll(ids) ? wordFor(kind) : plural}`
}

/** Which models an account may use through the hub, and how much: `models: 3, 100,000 tokens a month`. */
function modelsInWords({ llmAccess, llmModels, llmMonthlyTokenLimit }: Access): string {
  if (!llmAccess) return 'no models'
  const models = opensAll(llmModels) ? 'all' : llmModels.length === 0 ? 'none' : count(llmModels.length)
  return `models: ${models}, ${limitInWords(llmMonthlyTokenLimit)}`
}

/** How many tokens of models a month. */
export const limitInWords = (limit: number | null): string =>
  limit === null ? 'no monthly limit' : `${counted(limit, 'token')} a month`

/** The lists that hold an id which nothing has any more, without those ids. The hub's warnings name them in quotes. */
export function withoutStale(
  account: Access,
  warnings: readonly string[]
): Readonly<Partial<Record<AccessList | 'llmModels', readonly string[]>>> {
  const isStale = (id: string) => id !== WILDCARD && warnings.some((warning) => warning.includes(`"${id}"`))
  const lists = [...EACH_LIST, 'llmModels'] as const
  return Object.fromEntries(
    lists
      .filter((list) => account[list].some(isStale))
      .map((list) => [list, account[list].filter((id) => !isStale(id))])
  )
}

/** What somebody has picked for a list. The ids stay while `all` or `none` is tried. */
export interface Choice {
  readonly is: 'all' | 'none' | 'some'
  readonly ids: readonly string[]
}

export function isChoice(value: unknown): value is Choice {
  if (typeof value !== 'object' || value === null) return false
  const { is, ids } = value as Partial<Record<keyof Choice, unknown>>
  return ['all', 'none', 'some'].includes(String(is)) && Array.isArray(ids) && ids.every((id) => typeof id === 'string')
}

/** What is picked where a list is this. */
export function choiceOf(ids: readonly string[]): Choice {
  if (opensAll(ids)) return { is: 'all', ids: [] }
  return { is: ids.length === 0 ? 'none' : 'some', ids }
}

/** The list that a choice comes to. */
export function listOf({ is, ids }: Choice): readonly string[] {
  return is === 'all' ? [WILDCARD] : is === 'none' ? [] : ids
}
