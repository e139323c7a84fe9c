import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { type Comparison, loadComparison } from '../../app/history.js'
import { useLoadable } from '../../app/loaded.js'
import { namesAround } from '../../app/members.js'
import { mayChange } from '../../app/records.js'
import { linkWith } from '../../app/route.js'
import { KINDS, type RecordRef } from '../../model/records.js'
import { isSeen, type Version } from '../../model/versions.js'
import { DiffFields } from '../../ui/DiffFields.js'
import { ButtonLink, Name, Page, Show, Time } from '../../ui/kit.js'
import { Crumbs } from '../record/FolderView.js'
import { Threads } from '../record/Threads.js'
import css from './past.module.css'
import { RestoreButton } from './RestoreDialog.js'

interface ComparedProps {
  readonly record: RecordRef
  readonly from: number
  readonly to: number
}

/** Two versions of a record beside each other: who made them and when, then what differs. */
export function Compared({ record, from, to }: ComparedProps) {
  const comparison = useLoadable((signal) => loadComparison(record, { from, to }, signal), [record.id, from, to])
  const nameOf = namesAround(record)
  const top = useInSight(`${from},${to}`)
  return (
    <Page
      title={nameOf(record.id) ?? KINDS[record.kind].label}
      above={<Crumbs record={record} />}
      lead="What differs between two versions"
      actions={
        <ButtonLink icon="close" href={linkWith({ versions: null })}>
          Back to now
        </ButtonLink>
      }
    >
      <div ref={top} class={`${css.top} stack gap-10`}>
        <Show of={comparison}>{(shown) => <Both record={record} {...shown} />}</Show>
      </div>
      <Threads record={record} about={`[Versions ${from} and ${to}](${location.href})`} />
    </Page>
  )
}

function Both({ record, from, to, changes, more, sides, count }: Comparison & { readonly record: RecordRef }) {
  return (
    <>
      <div class={`${css.both} stack`}>
        <Side record={record} version={from} what="Before" count={count} />
        <Side record={record} version={to} what="After" count={count} />
      </div>
      <DiffFields changes={changes} more={more} sides={sides} nameOf={namesAround(record)} />
    </>
  )
}

interface SideProps {
  readonly record: RecordRef
  readonly version: Version
  readonly what: 'Before' | 'After'
  readonly count: Comparison['count']
}

function Side({ record, version, what, count }: SideProps) {
  const { version: number, position, at, by } = version
  return (
    <section aria-label={what}>
      <h2>{number === null ? what : `Version ${number}`}</h2>
      <p class="hint">
        <Name of={by.name ?? 'Somebody'} />, <Time at={at} />
      </p>
      {isSeen(version) && (
        <div class={`${css.actions} flex wrap gap-4`}>
          <ButtonLink kind="quiet" icon="history" href={linkWith({ versions: null, at: String(position) })}>
            As it was
          </ButtonLink>
          {mayChange(record) && number !== null && number !== count && (
            <RestoreButton record={record} version={number} />
          )}
        </div>
      )}
    </section>
  )
}

/** Brings an element into sight whenever `shown` is another: on a narrow screen what leads to it stands far below. */
export function useInSight(shown: string): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.scrollIntoView({ block: 'nearest' }), [shown])
  return place
}
