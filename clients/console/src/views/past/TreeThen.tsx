import { useMemo, useState } from 'preact/hooks'
import { useReload } from '../../app/live.js'
import { useLoadable, useMoment } from '../../app/loaded.js'
import { linkTo } from '../../app/route.js'
import { isAdmin } from '../../app/session.js'
import { keptIn, loadTree } from '../../app/trees.js'
import { count } from '../../model/numbers.js'
import { pathOf } from '../../model/records.js'
import { differentLines, type Kept, type Mark, marksCounted, type ThenLine, thenLines } from '../../model/treeThen.js'
import { Badge, Check, KindMark, Name, Show, Virtual } from '../../ui/kit.js'
import css from './past.module.css'

interface TreeThenProps {
  readonly collectionId: string
  /** Null for all of the collection. */
  readonly folderId: string | null
  readonly at: string
}

/** What a collection or a folder held at a moment, with what of it is different now. */
export function TreeThen(props: TreeThenProps) {
  // Whole collections are for who works with them.
  if (isAdmin.value) return <p class="soft">What was in it then is shown to those who have access to it.</p>
  return <Compared {...props} />
}

function Compared({ collectionId, folderId, at }: TreeThenProps) {
  const load = async (at: string, signal: AbortSignal) => keptIn(await loadTree(collectionId, signal, at))
  const then = useMoment(load, collectionId, at)
  const now = useLoadable(async (signal) => keptIn(await loadTree(collectionId, signal)), [collectionId])
  useReload(now, (change) => change.collectionId === collectionId)
  return (
    <Show of={now}>
      {(is) => (
        <Show of={then}>
          {(was) => <Lines collectionId={collectionId} folderId={folderId} at={at} then={was} now={is} />}
        </Show>
      )}
    </Show>
  )
}

const ROW_PX = matchMedia('(pointer: coarse)').matches ? 44 : 34
const MOST_PX = 800

interface LinesProps extends TreeThenProps {
  readonly then: readonly Kept[]
  readonly now: readonly Kept[]
}

function Lines({ collectionId, folderId, at, then, now }: LinesProps) {
  const [isBrief, setBrief] = useState(false)
  const lines = useMemo(() => thenLines(then, now, folderId), [then, now, folderId])
  const different = useMemo(() => differentLines(lines), [lines])
  const shown = isBrief ? different : lines
  const what = summary(lines)
  return (
    <div class="stack gap-4">
      <div class={`${css.head} flex wrap between`}>
        <p class="soft" role="status">
          {what === '' ? 'Nothing in it is different now.' : `Different now: ${what}.`}
        </p>
        {what !== '' && <Check label="Only what is different" isOn={isBrief} turn={setBrief} />}
      </div>
      {lines.length === 0 && <p class="soft">Nothing was in it.</p>}
      <Virtual
        class="scroll"
        role="list"
        aria-label="What was in it"
        items={shown}
        rowHeight={ROW_PX}
        most_px={MOST_PX}
      >
        {(line) => <Line line={line} collectionId={collectionId} at={at} />}
      </Virtual>
    </div>
  )
}

const WORDS: Readonly<Record<Mark, string>> = {
  new: 'new since',
  gone: 'gone since',
  moved: 'moved since',
  changed: 'changed since'
}

const TONES = { new: 'good', gone: 'bad', moved: 'note', changed: 'note' } as const

function summary(lines: readonly ThenLine[]): string {
  const counts = marksCounted(lines)
  const { new: fresh, gone, moved, changed } = counts
  const parts = [
    [fresh, 'new'],
    [gone, 'gone'],
    [moved, 'moved'],
    [changed, 'changed']
  ] as const
  return parts.flatMap(([many, word]) => (many === 0 ? [] : [`${count(many)} ${word}`])).join(', ')
}

function Line({ line, collectionId, at }: Omit<TreeThenProps, 'folderId'> & { readonly line: ThenLine }) {
  const { member, level, marks } = line
  const { kind, id, name, method } = member
  const isNew = marks.includes('new')
  return (
    <div role="listitem">
      <a
        class={`${css.treeThenLine} pick row unbroken gap-4 ${isNew ? css.new : ''} ${marks.includes('gone') ? css.gone : ''}`}
        style={{ paddingInlineStart: `${(level - 1) * 1.25 + 0.5}rem` }}
        href={linkTo(pathOf({ kind, id, collectionId }), isNew ? {} : { at })}
      >
        <KindMark kind={kind} method={method} size={16} />
        <Name class="cut" of={name} />{' '}
        {marks.map((mark) => (
          <Badge key={mark} tone={TONES[mark]}>
            {WORDS[mark]}
          </Badge>
        ))}
      </a>
    </div>
  )
}
