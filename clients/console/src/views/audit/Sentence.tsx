import { linkTo } from '../../app/route.js'
import type { AuditEntry } from '../../model/auditEntry.js'
import { type Part, sentenceOf, whoOf } from '../../model/auditSentences.js'
import { isKind, pathOf } from '../../model/records.js'
import css from './Sentence.module.css'

/** What an entry says, with links to who did it and to what it was done to. */
export function Sentence({ entry }: { readonly entry: AuditEntry }) {
  return (
    <span class={css.sentence}>
      {sentenceOf(entry).map((part, index) => (
        <Piece key={index} entry={entry} part={part} isFirst={index === 0} />
      ))}
    </span>
  )
}

interface PieceProps {
  readonly entry: AuditEntry
  readonly part: Part
  readonly isFirst: boolean
}

function Piece({ entry, part, isFirst }: PieceProps) {
  if (typeof part === 'string') return part
  if (part.is === 'address') return <bdi>{entry.address ?? 'An address'}</bdi>
  if (part.is === 'named') return <bdi class={css.named}>{part.text}</bdi>
  if (part.is === 'who') return <Who entry={entry} />
  const { name } = entry.resource
  const article = name !== null ? 'the' : /^[aeiou]/.test(part.word) ? 'an' : 'a'
  const words = `${isFirst ? article.charAt(0).toUpperCase() + article.slice(1) : article} ${part.word}`
  return name === null ? (
    words
  ) : (
    <>
      {words} <Thing entry={entry} name={name} />
    </>
  )
}

function Who({ entry }: { readonly entry: AuditEntry }) {
  const { id, name } = entry.actor
  const text = whoOf(entry)
  return text === name ? (
    <a class={css.link} href={linkTo(['people', id])}>
      <bdi>{name}</bdi>
    </a>
  ) : (
    text
  )
}

/** Records and accounts have pages of their own. */
function Thing({ entry: { resource }, name }: { readonly entry: AuditEntry; readonly name: string }) {
  const { kind, id } = resource
  const path = isKind(kind) ? pathOf({ kind, id }) : kind === 'user' ? ['people', id] : undefined
  return path ? (
    <a class={css.link} href={linkTo(path)}>
      <bdi>{name}</bdi>
    </a>
  ) : (
    <bdi class={css.named}>{name}</bdi>
  )
}
