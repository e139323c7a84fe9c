import { useMemo, useState } from 'preact/hooks'
import { type Block, type Place, type TextDiff, textDiff } from '../model/diffText.js'
import { type DiffLine, wholeLine } from '../model/diffWords.js'
import { withMarks } from '../model/marks.js'
import { count, counted } from '../model/numbers.js'
import { MASK } from '../model/secrets.js'
import { Button } from './basics.js'
import css from './DiffLines.module.css'

interface DiffLinesProps {
  readonly label: string
  readonly from: string
  readonly to: string
  /** Whether only that something differs may be seen. */
  readonly isMasked: boolean
}

/** So many lines that are the same stand around a change. */
const AROUND = 3
/** So many lines are shown at a time where there are many. */
const AT_ONCE = 200

/** Two texts line by line: side by side where there is room, otherwise one below the other. */
export function DiffLines({ label, from, to, isMasked }: DiffLinesProps) {
  const { blocks, left } = useMemo(() => (isMasked ? maskedDiff(from, to) : textDiff(from, to)), [from, to, isMasked])
  const isLong = !isMasked && (from.includes('\n') || to.includes('\n'))
  return (
    <div class={`${css.diff} frame sunken clip ${isLong ? css.numbered : ''}`} role="group" aria-label={label}>
      {blocks.map((block, index) =>
        block.is === 'changed' ? (
          <Changed key={index} {...block} />
        ) : (
          <Same key={index} block={block} isFirst={index === 0} isLast={index === blocks.length - 1} />
        )
      )}
      {left.from + left.to > 0 && (
        <p class={css.note}>
          The texts are too long to be compared to their end: {counted(left.from, 'line')} of the first and{' '}
          {counted(left.to, 'line')} of the second are left out.
        </p>
      )}
    </div>
  )
}

function maskedDiff(from: string, to: string): TextDiff {
  const side = (text: string) => (text === '' ? [] : [wholeLine(MASK, 1)])
  return { blocks: [{ is: 'changed', removed: side(from), added: side(to) }], left: { from: 0, to: 0 } }
}

type SameBlock = Extract<Block, { is: 'same' }>
type ChangedBlock = Omit<Extract<Block, { is: 'changed' }>, 'is'>

function Same({ block, isFirst, isLast }: { block: SameBlock; isFirst: boolean; isLast: boolean }) {
  const [opened, setOpened] = useState(0)
  const { lines, at } = block
  const head = (isFirst ? 0 : AROUND) + opened
  const tail = isLast ? 0 : AROUND
  const hidden = lines.length - head - tail
  // A fold that hides one line takes as much room as the line.
  if (hidden <= 1) return <Lines lines={lines} at={at} />
  return (
    <>
      <Lines lines={lines.slice(0, head)} at={at} />
      <p class={css.fold}>
        <Button kind="quiet" onClick={() => setOpened(opened + AT_ONCE)}>
          {counted(hidden, 'line')} the same
        </Button>
      </p>
      <Lines lines={lines.slice(lines.length - tail)} at={behind(at, lines.length - tail)} />
    </>
  )
}

const behind = ({ from, to }: Place, lines: number): Place => ({ from: from + lines, to: to + lines })

/** Lines that are the same: on both sides where there are two, and told once. */
function Lines({ lines, at }: { readonly lines: readonly string[]; readonly at: Place }) {
  return (
    <div class={`${css.sides} stack`}>
      {lines.map((line, index) => (
        <Line key={`-${index}`} line={wholeLine(line, at.from + index)} row={index + 1} isCopy />
      ))}
      {lines.map((line, index) => (
        <Line key={`+${index}`} line={wholeLine(line, at.to + index)} row={index + 1} />
      ))}
    </div>
  )
}

function Changed({ removed, added }: ChangedBlock) {
  const [shown, setShown] = useState(AT_ONCE)
  const left = Math.max(removed.length, added.length) - shown
  return (
    <>
      <div class={`${css.sides} stack`}>
        {removed.slice(0, shown).map((line, index) => (
          <Line key={`-${line.number}`} line={line} what="removed" row={index + 1} />
        ))}
        {added.slice(0, shown).map((line, index) => (
          <Line key={`+${line.number}`} line={line} what="added" row={index + 1} />
        ))}
      </div>
      {left > 0 && (
        <p class={css.fold}>
          <Button kind="quiet" onClick={() => setShown(shown + AT_ONCE)}>
            {counted(left, 'more line')} that {left === 1 ? 'differs' : 'differ'}
          </Button>
        </p>
      )}
    </>
  )
}

interface LineProps {
  readonly line: DiffLine
  readonly what?: 'removed' | 'added'
  /** Where it stands beside the one that it replaces. */
  readonly row: number
  /** Whether it stands beside itself, where there are two sides. */
  readonly isCopy?: boolean
}

function Line({ line: { number, pieces }, what, row, isCopy }: LineProps) {
  const Tag = what === 'removed' ? 'del' : what === 'added' ? 'ins' : 'div'
  return (
    <Tag
      class={`${css.line} stack plain ${css[what ?? (isCopy ? 'copy' : 'both')]}`}
      style={{ '--row': row }}
      aria-hidden={isCopy}
    >
      <span class={css.number} aria-hidden="true">
        {number}
      </span>
      <span class={`${css.sign} soft`} aria-hidden="true">
        {what === 'removed' ? '−' : what === 'added' ? '+' : ''}
      </span>
      <span class={`${css.text} fit`}>
        {what && <span class="visually-hidden">{what}: </span>}
        {pieces.map((piece, index) =>
          'skipped' in piece ? (
            <span key={index} class={`${css.skipped} soft`}>
              {count(piece.skipped)} characters
            </span>
          ) : piece.isChanged ? (
            <mark key={index}>{withMarks(piece.text)}</mark>
          ) : (
            withMarks(piece.text)
          )
        )}
      </span>
    </Tag>
  )
}
