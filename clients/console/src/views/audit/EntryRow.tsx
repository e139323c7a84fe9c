import { now } from '../../app/clock.js'
import { linkTo } from '../../app/route.js'
import { managesPeople, seesRecords } from '../../app/session.js'
import { type AuditEntry, fieldsChanged } from '../../model/auditEntry.js'
import { isQuiet, type Run, runSentence, runText } from '../../model/auditRuns.js'
import { isBookkeeping, operatorText, type Part, sentenceOf, textOf, whoOf } from '../../model/auditSentences.js'
import { isKind, type Kind, pathOf } from '../../model/records.js'
import { ago } from '../../model/time.js'
import { capitalized } from '../../model/words.js'
import { Icon, Name, Time } from '../../ui/kit.js'
import css from './audit.module.css'
import { EntryDetails } from './EntryDetails.js'

interface EntryRowProps {
  readonly entry: AuditEntry
  readonly isOpen: boolean
  /** It stands below the head of a run. */
  readonly isOfRun: boolean
  readonly toggle: () => void
}

/** An entry in a line or two; its details unfold below. */
export function EntryRow({ entry, isOpen, isOfRun, toggle }: EntryRowProps) {
  const { position, at, type, token, address, operator, changes, erased } = entry
  // What changes of groups and roles are about, their sentences say.
  const fields = /Updated$|(?:Avatar|Webhook)Changed$/.test(type) ? fieldsChanged(changes) : []
  const details = `entry-${position}`
  const looks = [css.entry, isBookkeeping(type) && css.quiet, isOpen && css.open, isOfRun && css.within]
  return (
    <div class={looks.filter(Boolean).join(' ')}>
      <div class={`${css.line} within flex gap-4`}>
        <button
          type="button"
          class={`${css.toggle} center still soft`}
          aria-expanded={isOpen}
          aria-controls={isOpen ? details : undefined}
          aria-label={`Details: ${textOf(entry)}`}
          onClick={toggle}
        >
          <Icon name="open" size={16} />
        </button>
        <div class={`${css.words} flex wrap fit grow`}>
          <Sentence entry={entry} />
          {fields.length > 0 && <span class={css.fields}>{fields.join(', ')}</span>}
          <span class={`${css.about} flex wrap small`}>
            <Time at={at} />
            {token && (
              <span>
                token <Name of={token.name ?? 'that is gone'} />
              </span>
            )}
            {address && <bdi>{address}</bdi>}
            {operator && <bdi>{operatorText(operator)}</bdi>}
            {erased && <span>what it said is erased</span>}
          </span>
        </div>
      </div>
      {isOpen && (
        <div id={details} class={css.details}>
          <EntryDetails entry={entry} />
        </div>
      )}
    </div>
  )
}

interface RunRowProps {
  readonly run: Run
  readonly isOpen: boolean
  readonly toggle: () => void
}

/** Entries of one type by one actor that follow each other closely, as one line; each has its own below while it is open. */
export function RunRow({ run, isOpen, toggle }: RunRowProps) {
  const [newest] = run.entries
  const oldest = run.entries.at(-1) ?? newest
  return (
    <div class={`${css.line} within flex gap-4 ${isQuiet(run) ? css.quiet : ''} ${isOpen ? css.open : ''}`}>
      <button
        type="button"
        class={`${css.toggle} center still soft`}
        aria-expanded={isOpen}
        aria-label={`Each: ${runText(run)}`}
        onClick={toggle}
      >
        <Icon name="open" size={16} />
      </button>
      <div class={`${css.words} flex wrap fit grow`}>
        <Sentence entry={newest} parts={runSentence(run)} />
        <span class={`${css.about} flex wrap small`}>
          <Time at={newest.at} />
          {ago(oldest.at, now.value) !== ago(newest.at, now.value) && (
            <span>
              the first <Time at={oldest.at} />
            </span>
          )}
        </span>
      </div>
    </div>
  )
}

interface SentenceProps {
  readonly entry: AuditEntry
  /** What is said, where that is more than the entry says by itself. */
  readonly parts?: readonly Part[]
}

/** What an entry says, with links to who did it and to what it was done to. */
export function Sentence({ entry, parts = sentenceOf(entry) }: SentenceProps) {
  return (
    <span class="fit">
      {parts.map((part, index) => (
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
  if (part.is === 'named') return <Name class="bold" of={part.text} />
  if (part.is === 'who') return <Who entry={entry} />
  const { name } = entry.resource
  const article = name !== null ? 'the' : /^[aeiou]/.test(part.word) ? 'an' : 'a'
  const words = `${isFirst ? capitalized(article) : article} ${part.word}`
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
  if (text === name && !managesPeople.value) return <Name class="bold" of={name} />
  return text === name ? (
    <a class={`${css.sentenceLink} within bold plain`} href={linkTo(['people', id])}>
      <Name of={name} />
    </a>
  ) : (
    text
  )
}

const recordPath = (kind: Kind, id: string) => (seesRecords.value ? pathOf({ kind, id }) : undefined)

/** Records and accounts have pages of their own, for who may see these. */
function Thing({ entry: { resource }, name }: { readonly entry: AuditEntry; readonly name: string }) {
  const { kind, id } = resource
  const path = isKind(kind) ? recordPath(kind, id) : kind === 'user' && managesPeople.value ? ['people', id] : undefined
  return path ? (
    <a class={`${css.sentenceLink} within bold plain`} href={linkTo(path)}>
      <Name of={name} />
    </a>
  ) : (
    <Name class="bold" of={name} />
  )
}
