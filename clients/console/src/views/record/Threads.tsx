import { faceOfUser } from '../../app/faces.js'
import { useReload } from '../../app/live.js'
import { useLoadable } from '../../app/loaded.js'
import { isDiscussed, isTold, loadDiscussion } from '../../app/notices.js'
import { type Comment, threadsOf, wordsOf } from '../../model/notices.js'
import { counted } from '../../model/numbers.js'
import type { RecordRef } from '../../model/records.js'
import { Avatar, Section, Time } from '../../ui/kit.js'
import css from './record.module.css'

/** What people say about a record, where they do; nothing where nobody does. It is written in the desktop. */
export function Threads({ record }: { readonly record: RecordRef }) {
  const { kind, id } = record
  return isTold() && isDiscussed(kind) ? <Discussion key={id} record={{ ...record, kind }} /> : null
}

interface DiscussionProps {
  readonly record: RecordRef & { readonly kind: Parameters<typeof loadDiscussion>[0] }
}

function Discussion({ record: { kind, id, collectionId = null } }: DiscussionProps) {
  const discussion = useLoadable((signal) => loadDiscussion(kind, id, signal), [kind, id])
  const place = kind === 'collection' ? id : collectionId
  useReload(discussion, (change) => change.kind === 'comment' && change.collectionId === place)
  const state = discussion.state.value
  if (state.is !== 'ready' || state.value.comments.length === 0) return null
  const { comments, isCut } = state.value
  return (
    <Section title="Discussion" aside={counted(comments.length, 'comment')}>
      <div class="stack gap-8">
        {threadsOf(comments).map(({ root, answers }) => (
          <div key={root.id} class={`${css.thread} stack frame gap-6`}>
            <CommentLine comment={root} />
            {answers.map((comment) => (
              <CommentLine key={comment.id} comment={comment} />
            ))}
          </div>
        ))}
        {isCut && <p class="hint">There is more than this. The desktop shows all of it.</p>}
      </div>
    </Section>
  )
}

function CommentLine({ comment }: { readonly comment: Comment }) {
  const { author, createdAt, updatedAt, depth, tombstoned } = comment
  const { text, isOwn } = wordsOf(comment)
  return (
    <div class={`flex fit gap-6 ${css[`depth${depth}`]}`}>
      <Avatar face={faceOfUser(author)} />
      <div class="fit grow">
        <p>
          <bdi class="bold">{author.name}</bdi>{' '}
          <span class="hint">
            <Time at={createdAt} />
            {updatedAt !== createdAt && !tombstoned && ', changed since'}
          </span>
        </p>
        <p class={isOwn ? css.text : 'hint'}>
          <bdi>{text}</bdi>
        </p>
      </div>
    </div>
  )
}
