import { counted } from './numbers.js'
import { isKind, KINDS, wordFor } from './records.js'

/** By kind. */
type Counts = Readonly<Record<string, number | undefined>>

const list = new Intl.ListFormat('en', { type: 'conjunction' })
const ORDER = Object.keys(KINDS).filter(isKind)

/** How many records of each kind, as people say it: `2 folders and 1 request`; an empty text where there is none. */
export function recordsCounted(counts: Counts): string {
  const parts = ORDER.flatMap((kind) => {
    const many = counts[kind] ?? 0
    return many === 0 ? [] : [counted(many, wordFor(kind))]
  })
  return list.format(parts)
}

/** Says that something is there again, and what has come with it. */
export function isBack(kind: string, name: string, restored: Counts): string {
  const others = recordsCounted({ ...restored, [kind]: (restored[kind] ?? 1) - 1 })
  return `“${name}” is back${others === '' ? '' : `, with ${others}`}.`
}
