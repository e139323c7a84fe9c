import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useAct } from '../../app/loaded.js'
import { namesAround } from '../../app/members.js'
import { linkTo } from '../../app/route.js'
import { ask, isAdmin } from '../../app/session.js'
import type { Deed } from '../../app/undoing.js'
import { type AuditEntry, isCut, type NamedValue, toldBy } from '../../model/auditEntry.js'
import { operatorText, whoOf } from '../../model/auditSentences.js'
import { kindWord, typeLabel } from '../../model/logKinds.js'
import { count } from '../../model/numbers.js'
import { isKind } from '../../model/records.js'
import { exactly } from '../../model/time.js'
import { DiffFields } from '../../ui/DiffFields.js'
import { Button, DialogButton, Fact, Facts, Name, Notice } from '../../ui/kit.js'
import { UndoDialog } from '../past/UndoDialog.js'
import css from './audit.module.css'

/** All that is known of an entry: what changed, and the ways to what belongs to it. */
export function EntryDetails({ entry: listed }: { readonly entry: AuditEntry }) {
  const [whole, setWhole] = useState<AuditEntry>()
  const entry = whole ?? listed
  const { changes, more, erased } = entry
  return (
    <>
      {erased && <Notice tone="note">What this entry said was erased from the log. That it happened stays.</Notice>}
      <Difference entry={entry} />
      {!whole && isCut(changes, more) && <AskForAll position={entry.position} take={setWhole} />}
      <About entry={entry} />
      <Undoing entry={entry} />
    </>
  )
}

/** What the list has cut short comes whole when somebody wants it; asking for it is an entry of the log. */
function AskForAll({ position, take }: { readonly position: number; readonly take: (entry: AuditEntry) => void }) {
  const { isBusy, failure, run } = useAct()
  const all = () => run(async () => take(await ask('GET', '/admin/audit/{position}', { path: { position } })))
  return (
    <div class={`${css.entryDetailsMore} stack hint gap-4`}>
      {failure && <Notice tone="bad">{failure.message}</Notice>}
      <Button isBusy={isBusy} onClick={all}>
        Show all of it
      </Button>
    </div>
  )
}

/** The ways to take back all that was done with it: by its command, and where that was one of several, by its request. */
function Undoing({ entry: { position, requestId, resource } }: { readonly entry: AuditEntry }) {
  if (!isAdmin.value) return null
  // An import from a file is of records too.
  if (!isKind(resource.kind) && resource.kind !== 'source') return null
  return (
    <div class={`${css.entryDetailsMore} flex wrap gap-4`}>
      <DialogButton icon="history" dialog={undoing(`the command of entry ${count(position)}`, { event: position })}>
        Undo its command…
      </DialogButton>
      {requestId !== null && (
        <DialogButton dialog={undoing('the whole request', { request: requestId })}>
          Undo its whole request…
        </DialogButton>
      )}
    </div>
  )
}

const undoing = (what: string, deed: Deed) => (close: () => void) => <UndoDialog {...{ what, deed, close }} />

/** Who, when, with what and from where; each leads to everything else of it. */
function About({ entry }: { readonly entry: AuditEntry }) {
  const { position, at, type, actor, token, resource, address, operator, requestId, causation } = entry
  const about = (
    <>
      {kindWord(resource.kind)} <code>{resource.id}</code>
    </>
  )
  const facts: readonly (readonly [name: string, what: ComponentChildren, search?: Search, words?: string])[] = [
    ['When', exactly(at)],
    ['What', typeLabel(type), { type }, 'All of this type'],
    ['About', about, { id: resource.id }, 'Everything about it'],
    ['By', <Name of={whoOf(entry)} />, { actor: actor.id }, 'Everything by them'],
    [
      'Token',
      token && <Name of={token.name ?? 'A token that is gone'} />,
      { token: token?.id },
      'Everything by this token'
    ],
    ['From', address && <bdi>{address}</bdi>, { address }, 'Everything from this address'],
    ['On the host', operator && <bdi>{operatorText(operator)}</bdi>],
    ['Request', requestId && <code>{requestId}</code>, { request: requestId }, 'All of this request'],
    ['Because of', causation !== null && `entry ${count(causation)}`, only(causation), 'Show it'],
    ['Entry', count(position), only(position), 'Link to this entry']
  ]
  return (
    <div class={`${css.facts} small`}>
      <Facts>
        {facts.map(
          ([name, what, search, words]) =>
            what && (
              <Fact key={name} name={name}>
                {what}{' '}
                {search && (
                  <a class={css.link} href={linkTo(['audit'], search)}>
                    {words}
                  </a>
                )}
              </Fact>
            )
        )}
      </Facts>
    </div>
  )
}

/** What a search is narrowed to. */
type Search = Parameters<typeof linkTo>[1]

const only = (position: number | null): Search => {
  const one = position === null ? null : String(position)
  return { from: one, to: one, open: one }
}

/** What was different afterwards, as of every record; of what is no record, and came or went, all that the event tells. */
function Difference({ entry: { resource, changes, more } }: { readonly entry: AuditEntry }) {
  if (changes.length === 0) return null
  const { kind, id } = resource
  const told = isKind(kind) ? null : toldBy(changes)
  if (told) return <Telling told={told} more={more} />
  return <DiffFields changes={changes} more={more} {...(isKind(kind) && { nameOf: namesAround({ kind, id }) })} />
}

function Telling({ told, more }: { readonly told: readonly NamedValue[]; readonly more: number | undefined }) {
  return (
    <>
      <dl class="stack">
        {told.map(({ name, text }) => (
          <div key={name} class={`${css.field} stack gap-4`}>
            <dt class="hint">{name}</dt>
            <dd>
              <Name of={text} />
            </dd>
          </div>
        ))}
      </dl>
      {more !== undefined && <p class="hint">{count(more)} more are not listed.</p>}
    </>
  )
}
