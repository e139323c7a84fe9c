import { useState } from 'preact/hooks'
import { type DiscussedKind, follow, isDiscussed, loadDiscussion, mayDiscuss, takeBack } from '../../app/discussions.js'
import { faceOfUser } from '../../app/faces.js'
import { useReload } from '../../app/live.js'
import { useLoadable } from '../../app/loaded.js'
import { isTold } from '../../app/notices.js'
import { identity } from '../../app/session.js'
import { type Comment, threadsOf, wordsOf } from '../../model/notices.js'
import { counted } from '../../model/numbers.js'
import { Ask, Avatar, Button, Menu, Section, Time, toast } from '../../ui/kit.js'
import { Markdown } from '../../ui/Markdown.js'
import { Compose } from './Compose.js'
import css from './record.module.css'

/** What people talk about: a record, or the result of a run. */
interface Discussed {
  readonly kind: string
  readonly id: string
  readonly collectionId?: string | null
}

interface ThreadsProps {
  readonly record: Discussed
  /** What is said here is about, as Markdown, where that is not all of the record. */
  readonly about?: string
}

/** What people say about a record, and the place to say something. */
export function Threads({ record, about }: ThreadsProps) {
  const { kind, id } = record
  return isTold() && isDiscussed(kind) ? <Discussion key={id} record={{ ...record, kind }} about={about} /> : null
}

interface DiscussionProps {
  readonly about: string | undefined
  readonly record: Discussed & { readonly kind: DiscussedKind }
}

function Discussion({ record: { kind, id, collectionId = null }, about }: DiscussionProps) {
  const discussion = useLoadable((signal) => loadDiscussion(kind, id, signal), [kind, id])
  const place = kind === 'collection' ? id : collectionId
  useReload(discussion, (change) => change.kind === 'comment' && change.collectionId === place)
  const [said, setSaid] = useState(0)
  const { reload } = discussion
  const state = discussion.state.value
  if (state.is !== 'ready') return null
  const { comments, isCut } = state.value
  return (
    <Section title="Discussion" aside={comments.length > 0 && counted(comments.length, 'comment')}>
      <div class="stack gap-8">
        {threadsOf(comments).map(({ root, answers }) => (
          <Thread key={root.id} root={root} answers={answers} reload={reload} />
        ))}
        {isCut && <p class="hint">There is more than this. The desktop shows all of it.</p>}
        {mayDiscuss() ? (
          <Compose
            key={said}
            place={{ is: 'new', kind, id }}
            about={about}
            label={
              about !== undefined
                ? 'Say something of this difference'
                : comments.length === 0
                  ? 'Begin a discussion'
                  : 'Begin another'
            }
            verb="Comment"
            done={() => {
              setSaid(said + 1)
              void reload()
            }}
          />
        ) : (
          <p class="hint">Discussions of this hub are encrypted: they are written in the desktop.</p>
        )}
      </div>
    </Section>
  )
}

interface ThreadProps {
  readonly root: Comment
  readonly answers: readonly Comment[]
  readonly reload: () => Promise<void>
}

function Thread({ root, answers, reload }: ThreadProps) {
  const [answered, setAnswered] = useState<Comment | null>(null)
  const tell = (isWanted: boolean) => async () => {
    await follow(root.id, isWanted)
    toast(isWanted ? 'You are told of answers here.' : 'You are not told of answers here, but where you are named.')
  }
  const lines = [root, ...answers]
  return (
    <div class={`${css.thread} stack frame gap-6`}>
      {lines.map((comment) => (
        <CommentLine key={comment.id} comment={comment} reload={reload} answer={() => setAnswered(comment)} />
      ))}
      {answered && (
        <Compose
          key={answered.id}
          place={{ is: 'answer', to: answered.id }}
          label={`Answer ${answered.author.name}`}
          verb="Answer"
          isPassing
          done={(isSaid) => {
            setAnswered(null)
            if (isSaid) void reload()
          }}
        />
      )}
      <div class="flex wrap gap-4">
        {!answered && mayDiscuss() && (
          <Button kind="quiet" onClick={() => setAnswered(root)}>
            Answer
          </Button>
        )}
        <Menu
          label="More with this thread"
          items={[
            { label: 'Tell me of answers', icon: 'bell', act: tell(true) },
            { label: 'Tell me of no answers', act: tell(false) }
          ]}
        />
      </div>
    </div>
  )
}

/** Answers are answered down to this depth. */
const DEPTH_MOST = 3

interface CommentProps {
  readonly comment: Comment
  readonly reload: () => Promise<void>
  readonly answer: () => void
}

function CommentLine({ comment, reload, answer }: CommentProps) {
  const { id, author, createdAt, updatedAt, depth, tombstoned } = comment
  const [open, setOpen] = useState<'change' | 'takeBack' | null>(null)
  const { text, isOwn: isSaid } = wordsOf(comment)
  const isMine = author.id === identity().user.id && !tombstoned
  const items = [
    ...(depth < DEPTH_MOST && depth > 1 ? [{ label: 'Answer', act: answer }] : []),
    ...(isMine && isSaid ? [{ label: 'Change…', icon: 'edit', act: () => setOpen('change') } as const] : []),
    ...(isMine
      ? [{ label: 'Take back…', icon: 'deleted', isDanger: true, act: () => setOpen('takeBack') } as const]
      : [])
  ]
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
        {open === 'change' ? (
          <Compose
            place={{ is: 'change', of: id }}
            label="Your comment"
            verb="Save"
            {...{ text }}
            isPassing
            done={(isSaid) => {
              setOpen(null)
              if (isSaid) void reload()
            }}
          />
        ) : isSaid ? (
          <Markdown text={text} />
        ) : (
          <p class="hint">{text}</p>
        )}
      </div>
      {items.length > 0 && mayDiscuss() && <Menu label={`More with what ${author.name} said`} items={items} />}
      {open === 'takeBack' && (
        <Ask
          title="Take this comment back?"
          verb="Take it back"
          icon="deleted"
          isDanger
          close={() => setOpen(null)}
          act={async () => {
            await takeBack(id)
            setOpen(null)
            await reload()
          }}
        >
          <p>Its text is gone for everybody. Answers to it stay.</p>
        </Ask>
      )}
    </div>
  )
}
