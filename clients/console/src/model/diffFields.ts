import {
  byField,
  type FieldChange,
  isPairList,
  isTextList,
  leavesOf,
  own,
  type PairChange,
  pairsBetween,
  stepsOf
} from './diffLeaves.js'
import { fieldInSentence, fieldName, isTechnical, isUrlField, type NameOf, valueText } from './fieldNames.js'
import { isReference, isSecretName } from './secrets.js'
import { isSecretUrl, urlsMasked } from './urlSecrets.js'

/** Both records as far as they are known. Lists are then compared by the names in them and not by place. */
export interface Sides {
  readonly from: object | null
  readonly to: object | null
}

/** One difference as people read it. */
export interface FieldDiff {
  readonly key: string
  readonly label: string
  /** Null where there was, or is, nothing. */
  readonly from: string | null
  readonly to: string | null
  /** Whether nobody should read it over a shoulder. */
  readonly isSecret: boolean
  /** What of both sides may be read all the same: of a URL all but its passwords and keys. */
  readonly masked?: { readonly from: string; readonly to: string } | null
  readonly isTechnical: boolean
}

/** Lists of names and values, with what one of them is called. */
const LISTS: Readonly<Record<string, string>> = {
  headers: 'Header',
  params: 'Parameter',
  variables: 'Variable',
  runCommandEnv: 'Environment variable'
}
const PAIR_FIELDS: Readonly<Record<string, string>> = {
  key: 'name',
  enabled: 'on or off',
  defaultValue: 'default',
  share: 'sharing'
}
/** Whether a change is inside a list that only the records themselves can tell the names of. */
export const needsSides = ({ path }: FieldChange): boolean => {
  const [list = '', ...below] = stepsOf(path)
  return Object.hasOwn(LISTS, list) && below.length > 0
}

/** The hub's own word for what it does not tell. */
export const MASKED_BY_HUB = '[masked]'

/** What differs between two states of a record, in the order of its fields. */
export function fieldDiffs(changes: readonly FieldChange[], sides?: Sides, nameOf: NameOf = () => undefined) {
  const told: FieldDiff[] = []
  const compared = new Set<string>()
  for (const change of changes.flatMap(byField)) {
    const [list = ''] = stepsOf(change.path)
    if (compared.has(list)) continue
    const both = Object.hasOwn(LISTS, list) ? listsOf(list, change, sides) : null
    if (both) {
      compared.add(list)
      told.push(...listDiffs(list, both))
    } else {
      for (const leaf of leavesOf(change)) told.push(...leafDiff(leaf, nameOf))
    }
  }
  const isMoved = changes.some(({ path }) => /^\/(?:folderId|parentFolderId|collectionId)$/.test(path))
  // In another folder every place is another one.
  return isMoved ? told.map((diff) => (diff.key === '/sortOrder' ? { ...diff, isTechnical: true } : diff)) : told
}

/** A list on both sides, from the records or, where all of it is new or gone, from the change itself. */
function listsOf(list: string, { path, from, to }: FieldChange, sides: Sides | undefined) {
  const isWhole = path === `/${list}`
  if (!isWhole && !sides) return null
  const before = (isWhole ? from : own(sides?.from, list)) ?? []
  const after = (isWhole ? to : own(sides?.to, list)) ?? []
  return isPairList(before) && isPairList(after) ? { before, after } : null
}

function listDiffs(list: string, { before, after }: NonNullable<ReturnType<typeof listsOf>>): readonly FieldDiff[] {
  const { changes, order } = pairsBetween(before, after)
  const told = changes.map((change, index) => pairDiff(list, change, `${list}/${index}`))
  if (!order) return told
  const texts = { from: order.from.join('\n'), to: order.to.join('\n') }
  return [
    ...told,
    { key: `${list}/order`, label: `Order of ${fieldInSentence(list)}`, ...texts, isSecret: false, isTechnical: false }
  ]
}

function pairDiff(list: string, { key: name, field, isUnshared, from, to }: PairChange, key: string): FieldDiff {
  const pair = `${LISTS[list]} ${name === '' ? 'without a name' : name}`
  const texts =
    field === null
      ? { label: pair, from: pairText(from), to: pairText(to) }
      : { label: `${pair}: ${PAIR_FIELDS[field] ?? field}`, from: textOf(field, from), to: textOf(field, to) }
  const isValue = field === null || field === 'value' || field === 'defaultValue'
  const isNamed = (isUnshared || isSecretName(name)) && !(isHarmless(texts.from) && isHarmless(texts.to))
  const isSecret = isValue && (isNamed || isSecretUrl(texts.from ?? '') || isSecretUrl(texts.to ?? ''))
  return { key, ...texts, isSecret, isTechnical: false }
}

/** A whole pair: what it says, and whether it is switched off. */
function pairText(pair: unknown): string | null {
  if (!isPairList([pair])) return null
  const { value, defaultValue, enabled } = pair as Readonly<Record<string, unknown>>
  const text = value === '' && typeof defaultValue === 'string' ? defaultValue : String(value)
  return enabled === false ? `${text} (off)` : text
}

function leafDiff({ path, from, to }: FieldChange, nameOf: NameOf): readonly FieldDiff[] {
  const at = stepsOf(path)
  const [list = '', index, inPair = ''] = at
  const field = at.at(-1) ?? ''
  const texts = { from: textOf(field, from, nameOf), to: textOf(field, to, nameOf) }
  // What was not there and is now empty says nothing.
  if ((from === undefined && isEmpty(to)) || (to === undefined && isEmpty(from))) return []
  const isInPair = Object.hasOwn(LISTS, list) && index !== undefined
  const label = isInPair ? `${LISTS[list]} ${Number(index) + 1}: ${PAIR_FIELDS[inPair] ?? inPair}` : null
  // Of a pair whose name is not known nobody can say that its value is harmless.
  const mayBeSecret = isInPair ? inPair === 'value' || inPair === 'defaultValue' : isSecretField(field)
  const isSecret = mayBeSecret && !(isHarmless(texts.from) && isHarmless(texts.to))
  const name = at.join('/')
  const told = { key: path, label: label ?? fieldName(name), ...texts, isSecret, isTechnical: isTechnical(name) }
  return [isUrlField(field) ? { ...told, ...urlSecrets(texts.from ?? '', texts.to ?? '') } : told]
}

function urlSecrets(from: string, to: string): Pick<FieldDiff, 'isSecret' | 'masked'> {
  const masked = urlsMasked(from, to)
  return { isSecret: masked?.from !== from || masked.to !== to, masked }
}

const isSecretField = (field: string) => /(?:password|secret|hash|token|[a-z]key)$/i.test(field)
const isHarmless = (text: string | null) => text === null || text === '' || isReference(text)

function textOf(field: string, value: unknown, nameOf: NameOf = () => undefined): string | null {
  return isTextList(value) ? value.join('\n') : valueText(field, value, nameOf)
}

const isEmpty = (value: unknown) =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === 'none' ||
  value === false ||
  (Array.isArray(value) && !value.length)
