import type { Schemas } from '@collections-hub/client'
import { accessInWords } from './access.js'

type Token = Schemas['Token']
type Invitation = Schemas['Invitation']
export type Spend = Schemas['SpendReport']['usage'][number]

/** An account with what else is known of it. What has not been heard of yet is undefined. */
export interface Person {
  readonly user: Schemas['ListedUser']
  readonly access: string
  /** The newest use of its tokens; null where none was ever used. */
  readonly lastUsedAt: string | null | undefined
  readonly spend: Spend | null | undefined
  /** Whether somebody was invited and has not come yet. */
  readonly isAwaited: boolean
}

interface Known {
  readonly users: readonly Schemas['ListedUser'][]
  readonly tokens: readonly Token[] | undefined
  readonly invitations: readonly Invitation[] | undefined
  readonly usage: readonly Spend[] | undefined
  readonly now_ms: number
}

/** Brings together what the hub's lists say of each account. */
export function peopleOf({ users, tokens, invitations, usage, now_ms }: Known): readonly Person[] {
  const uses = new Map<string, string | null>()
  for (const { userId, lastUsedAt } of tokens ?? []) uses.set(userId, newer(uses.get(userId) ?? null, lastUsedAt))
  const awaited = new Set<string>()
  for (const one of invitations ?? []) if (statusAt(one, now_ms) === 'pending') awaited.add(one.userId)
  const spent = new Map(usage?.map((spend) => [spend.key, spend]))
  return users.map((user) => ({
    user,
    access: accessInWords(user),
    lastUsedAt: tokens && (uses.get(user.id) ?? null),
    spend: usage && (spent.get(user.id) ?? null),
    isAwaited: awaited.has(user.id) && !uses.has(user.id)
  }))
}

function newer(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other
  return one > other ? one : other
}

/** The state of an invitation at a moment: it expires without anybody telling. */
export function statusAt({ status, expiresAt }: Invitation, now_ms: number): Invitation['status'] {
  return status === 'pending' && Date.parse(expiresAt) <= now_ms ? 'expired' : status
}

/** Whether a name, or one of these other words about it, has what was typed in it. */
export function matches(typed: string, ...texts: readonly string[]): boolean {
  const wanted = typed.trim().toLowerCase()
  return wanted === '' || texts.some((text) => text.toLowerCase().includes(wanted))
}

/** How a list is ordered: by what, and whether the other way round. Written `used` or `-used` in addresses. */
export interface Order<By extends string> {
  readonly by: By
  readonly isReversed: boolean
}

/** The order that an address asks for; that of `usual` where it asks for none that is known. */
export function orderOf<By extends string>(asked: string | null, known: readonly By[], usual: By): Order<By> {
  const isReversed = asked?.startsWith('-') ?? false
  const by = known.find((one) => one === asked?.replace(/^-/, ''))
  return by === undefined ? { by: usual, isReversed: false } : { by, isReversed }
}

const collator = new Intl.Collator(undefined, { numeric: true })
/** By name, as people look for them. */
export const byName = (one: string, other: string): number => collator.compare(one, other)
/** The latest time first, and never last. */
const byTime = (one: string | null | undefined, other: string | null | undefined): number =>
  (other ?? '') < (one ?? '') ? -1 : (other ?? '') > (one ?? '') ? 1 : 0

/** People in an order: by name, the last to have come first, or who has spent most first. */
export function sortedPeople(people: readonly Person[], { by, isReversed }: Order<PeopleOrder>): readonly Person[] {
  const compare = (a: Person, b: Person) => ORDERS[by](a, b) || byName(a.user.name, b.user.name)
  return people.toSorted((a, b) => (isReversed ? compare(b, a) : compare(a, b)))
}

const ORDERS = {
  name: (a: Person, b: Person) => byName(a.user.name, b.user.name),
  used: (a: Person, b: Person) => byTime(a.lastUsedAt, b.lastUsedAt),
  spent: (a: Person, b: Person) => spentBy(b) - spentBy(a) || tokensOf(b) - tokensOf(a)
} as const
type PeopleOrder = keyof typeof ORDERS
export const PEOPLE_ORDERS = ['name', 'used', 'spent'] as const

const spentBy = ({ spend }: Person) => spend?.cost ?? 0
const tokensOf = ({ spend }: Person) => spend?.totalTokens ?? 0

/** Tokens in an order: by last use, the newest first and those that were never used last; by name of the owner; by age. */
export function sortedTokens(
  tokens: readonly Token[],
  { by, isReversed }: Order<TokenOrder>,
  nameOf: (userId: string) => string
): readonly Token[] {
  const orders: Readonly<Record<TokenOrder, (a: Token, b: Token) => number>> = {
    used: (a, b) => byTime(a.lastUsedAt, b.lastUsedAt),
    owner: (a, b) => byName(nameOf(a.userId), nameOf(b.userId)),
    made: (a, b) => byTime(a.createdAt, b.createdAt)
  }
  const compare = (a: Token, b: Token) => orders[by](a, b) || byTime(a.createdAt, b.createdAt)
  return tokens.toSorted((a, b) => (isReversed ? compare(b, a) : compare(a, b)))
}

export const TOKEN_ORDERS = ['used', 'owner', 'made'] as const
type TokenOrder = (typeof TOKEN_ORDERS)[number]
