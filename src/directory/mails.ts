import { z } from 'zod'
import { errors } from '../errors.js'
import { LIMITS } from '../limits.js'
import type { Operation } from './patch.js'

export type Resource = Readonly<Record<string, unknown>>

/** What an operation on mail addresses is about: of those that are chosen, or all, a part, or all parts. */
export interface OnMails {
  readonly op: Operation['op']
  readonly chosen: { readonly part: string; readonly value: unknown } | null
  readonly part: string | undefined
  readonly value: unknown
}

const object = z.record(z.string(), z.unknown())

/** The object that was sent; 400 for anything else. */
export function objectIn(value: unknown): Resource {
  const { success, data } = object.safeParse(value)
  if (!success) throw errors.scimRefused('value: An object is expected there.', 'invalidValue')
  return data
}

/** Some directories send yes and no as texts, in whatever case. */
export function yesOrNo(value: unknown): unknown {
  const text = typeof value === 'string' ? value.toLowerCase() : null
  return text === 'true' || text === 'false' ? text === 'true' : value
}

/** The mail addresses that were sent, one or several, with the names of their parts as the schema has them. */
export function mailsIn(value: unknown): readonly Resource[] {
  if (value === undefined || value === null) return []
  const sent: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (sent.length > LIMITS.scimValues.max) throw tooMany()
  return sent.map((one) => lowered(objectIn(one)))
}

const tooMany = () => errors.scimRefused(`emails: At most ${LIMITS.scimValues.max} mail addresses.`, 'tooMany')

function lowered(mail: Resource): Resource {
  const named = Object.fromEntries(Object.entries(mail).map(([name, value]) => [name.toLowerCase(), value]))
  return { ...named, ...('primary' in named && { primary: yesOrNo(named.primary) }) }
}

/**
 * Mail addresses after an operation on them. What is said of one that is not there makes it, as Entra expects. Where another one becomes
 * the primary, those before are it no more.
 */
export function mailsAfter(mails: readonly Resource[], { op, chosen, part, value }: OnMails): readonly Resource[] {
  const sent = part === undefined ? mailsIn(value) : [lowered({ [part]: value })]
  const isMeant = (mail: Resource) => !chosen || folded(mail[chosen.part]) === chosen.value
  if (op === 'remove') {
    // Of one without its address nothing is left that is kept.
    if (part !== undefined && part.toLowerCase() !== 'value') return mails
    const isGone = (mail: Resource) =>
      part !== undefined || sent.length === 0 || sent.some((one) => one.value === mail.value)
    return mails.filter((mail) => !isMeant(mail) || !isGone(mail))
  }
  if (!chosen && part === undefined) return withOnePrimary(op === 'add' ? mails : [], sent)
  const to = { ...(chosen && { [chosen.part]: chosen.value }), ...sent[0] }
  if (!mails.some(isMeant)) return withOnePrimary(mails, [to])
  const changed = mails.map((mail) => (isMeant(mail) ? { ...mail, ...to } : mail))
  return to.primary === true ? changed.map((mail) => ({ ...mail, primary: isMeant(mail) })) : changed
}

const folded = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : value)

function withOnePrimary(before: readonly Resource[], added: readonly Resource[]): readonly Resource[] {
  if (before.length + added.length > LIMITS.scimValues.max) throw tooMany()
  const isOther = added.some(({ primary }) => primary === true)
  return [...(isOther ? before.map((mail) => ({ ...mail, primary: false })) : before), ...added]
}
