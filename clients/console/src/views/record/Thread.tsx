import { useEffect, useRef, useState } from 'preact/hooks'
import { mayDiscuss } from '../../app/discussions.js'
import { useAct } from '../../app/loaded.js'
import { hub } from '../../app/session.js'
import type { Comment } from '../../model/notices.js'
import { counted } from '../../model/numbers.js'
import { Button, Name, Notice, Time } from '../../ui/kit.js'
import { CommentLine } from './CommentLine.js'
import { Compose } from './Compose.js'
import css from './record.module.css'
import { ThreadNews } from './ThreadNews.js'

interface ThreadProps {
  readonly root: Comment
  readonly answers: readonly Comment[]
  /** Whether who is signed in may answer, resolve and reopen it. */
  readonly mayWrite: boolean
  readonly reload: () => Promise<void>
}

/** A comment with those that answer it. Once it is resolved it is folded, but where somebody answers. */
export function Thread({ root, answers, mayWrite, reload }: ThreadProps) {
  const [answered, setAnswered] = useState<Comment | null>(null)
  const [isUnfolded, setUnfolded] = useState(false)
  const { isBusy, failure, run } = useAct()
  const isResolved = root.resolvedAt !== undefined
  const isMine = useRef(false)
  const box = useRef<HTMLDivElement>(null)
  // The button that was pressed is folded away: keys go on at the one that unfolds.
  useEffect(() => {
    if (isMine.current && isResolved) box.current?.querySelector('button')?.focus()
    isMine.current = false
  }, [isResolved])
  const isShown = !isResolved || isUnfolded || answered !== null
  const change = async () => {
    const turned = isResolved ? 'reopen' : 'resolve'
    const path = { id: root.id }
    if (!(await run(() => hub().request('POST', `/discussion-threads/{id}/${turned}` as const, { path })))) return
    setUnfolded(false)
    isMine.current = true
    await reload()
  }
  const lines = [root, ...answers]
  return (
    <div ref={box} class={`${css.thread} stack frame gap-6`}>
      {isResolved && (
        <div class="row fit gap-6">
          <Resolution root={root} count={lines.length} />
          {!answered && (
            <Button kind="quiet" aria-expanded={isShown} onClick={() => setUnfolded(!isUnfolded)}>
              {isShown ? 'Hide' : 'Show'}
            </Button>
          )}
        </div>
      )}
      {isShown &&
        lines.map((comment) => (
          <CommentLine
            key={comment.id}
            comment={comment}
            reload={reload}
            answer={mayWrite ? () => setAnswered(comment) : null}
          />
        ))}
      {answered && (
        <Compose
          key={answered.id}
          draft={`to/${answered.id}`}
          send={(body) =>
            hub().request('POST', '/discussion-comments/{id}/replies', { path: { id: answered.id }, body })
          }
          label={`Answer ${answered.author.name}`}
          verb="Answer"
          isPassing
          done={(isSaid) => {
            setAnswered(null)
            setUnfolded(isResolved)
            if (isSaid) void reload()
          }}
        />
      )}
      {failure && <Notice tone="bad">{failure.message}</Notice>}
      {isShown && (
        <div class="row wrap gap-4">
          {!answered && mayWrite && mayDiscuss() && (
            <Button kind="quiet" onClick={() => setAnswered(root)}>
              Answer
            </Button>
          )}
          {mayWrite && (
            <Button kind="quiet" isBusy={isBusy} onClick={() => void change()}>
              {isResolved ? 'Reopen' : 'Resolve'}
            </Button>
          )}
          <ThreadNews rootId={root.id} said={lines.length} />
        </div>
      )}
    </div>
  )
}

/** Who resolved a thread, and how much was said in it. */
function Resolution({ root: { resolvedAt, resolvedBy }, count }: { readonly root: Comment; readonly count: number }) {
  return (
    <p class="fit grow">
      Resolved by <Name class="bold" of={resolvedBy?.name ?? 'somebody'} />,{' '}
      <span class="hint">
        {resolvedAt !== undefined && <Time at={resolvedAt} />} · {counted(count, 'comment')}
      </span>
    </p>
  )
}
