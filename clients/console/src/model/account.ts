import type { Schemas } from '@collections-hub/client'
import {
  type Access,
  type AccessList,
  type Choice,
  choiceOf,
  EACH_LIST,
  isChoice,
  limitInWords,
  listInWords,
  listOf,
  opensAll,
  ROLE_NAMES
} from './access.js'
import { count } from './numbers.js'

type User = Schemas['User']

/** What an administrator decides about an account. */
export type Account = Pick<User, 'name'> & Access
type Field = keyof Account

/** Something for each list of an account. */
type Lists<V> = Readonly<Record<AccessList | 'llmModels', V>>

function eachList<V, W>(lists: Lists<V>, by: (value: V) => W): Lists<W> {
  return {
    collectionAccess: by(lists.collectionAccess),
    environmentAccess: by(lists.environmentAccess),
    snippetAccess: by(lists.snippetAccess),
    liveServerAccess: by(lists.liveServerAccess),
    livePageAccess: by(lists.livePageAccess),
    llmModels: by(lists.llmModels)
  }
}

/** The same as it is filled in. */
export interface AccountForm extends Lists<Choice> {
  readonly name: string
  readonly exactRole: User['exactRole']
  readonly llmAccess: boolean
  /** As it was typed; empty for no limit. */
  readonly llmMonthlyTokenLimit: string
}

/** An account as it is filled in. */
export function formOf(account: Account): AccountForm {
  const { name, exactRole, llmAccess, llmMonthlyTokenLimit: limit } = account
  const llmMonthlyTokenLimit = limit === null ? '' : String(limit)
  return { name, exactRole, llmAccess, llmMonthlyTokenLimit, ...eachList(account, choiceOf) }
}

/** What a new account is filled in from. */
export const EMPTY_FORM: AccountForm = formOf({
  ...{ name: '', exactRole: 'user', llmAccess: false, llmMonthlyTokenLimit: null, llmModels: [] },
  ...{ collectionAccess: [], environmentAccess: [], snippetAccess: [], liveServerAccess: [], livePageAccess: [] }
})

/** Whether a value is a form as it was filled in: it may come from where a tab keeps what is typed. */
export function isAccountForm(value: unknown): value is AccountForm {
  if (typeof value !== 'object' || value === null) return false
  const given = value as Readonly<Record<string, unknown>>
  return Object.entries(EMPTY_FORM).every(([field, empty]) =>
    typeof empty === 'object' ? isChoice(given[field]) : typeof given[field] === typeof empty
  )
}

/** What keeps a form from being sent, by field. The hub decides about the rest. */
export function faultsOf({ name, exactRole, llmAccess, llmMonthlyTokenLimit }: AccountForm) {
  const isCounted = exactRole === 'user' && llmAccess
  return {
    ...(name.trim() === '' && { name: 'Give the account a name first.' }),
    ...(isCounted &&
      limitOf(llmMonthlyTokenLimit) === undefined && { limit: 'A limit is a whole number of tokens, or empty.' })
  }
}

/** A whole number with separators between its thousands, or between its lakhs as well. */
const GROUPED = /^\d{1,3}([\s,.'’_]\d{2,3})*[\s,.'’_]\d{3}$/

/** The limit that was typed; undefined where it is none. */
function limitOf(typed: string): number | null | undefined {
  const text = typed.trim()
  if (text === '') return null
  const digits = GROUPED.test(text) ? text.replace(/\D/g, '') : text
  return /^\d{1,15}$/.test(digits) ? Number(digits) : undefined
}

/** The account that a form without faults describes. Administrators have no access lists and no models. */
export function accountOf(form: AccountForm): Account {
  const isUser = form.exactRole === 'user'
  return {
    name: form.name.trim(),
    exactRole: form.exactRole,
    ...eachList(form, (choice) => (isUser ? [...listOf(choice)] : [])),
    llmAccess: isUser && form.llmAccess,
    llmMonthlyTokenLimit: isUser ? (limitOf(form.llmMonthlyTokenLimit) ?? null) : null
  }
}

const FIELDS: readonly Field[] = ['name', 'exactRole', ...EACH_LIST, 'llmAccess', 'llmModels', 'llmMonthlyTokenLimit']

/** The fields in which two accounts differ. The order within a list says nothing. */
export function differing(one: Account, other: Account): readonly Field[] {
  return FIELDS.filter((field) => comparable(one[field]) !== comparable(other[field]))
}

const comparable = (value: Account[Field]): string =>
  JSON.stringify(typeof value === 'object' && value !== null ? value.toSorted() : value)

/** What of `after` is not as it was in `before`: what a change has to send. */
export function changesOf(before: Account, after: Account): Partial<Account> {
  return Object.fromEntries(differing(before, after).map((field) => [field, after[field]]))
}

/** What a field of an account says, for people who compare two of them. */
export function fieldInWords(account: Account, field: Field): string {
  switch (field) {
    case 'name':
      return account.name
    case 'exactRole':
      return ROLE_NAMES[account.exactRole].toLowerCase()
    case 'llmAccess':
      return account.llmAccess ? 'may use models' : 'may not use models'
    case 'llmModels':
      return `${opensAll(account.llmModels) ? 'all' : count(account.llmModels.length)} models`
    case 'llmMonthlyTokenLimit':
      return limitInWords(account.llmMonthlyTokenLimit)
    default:
      return listInWords(field, account[field])
  }
}
