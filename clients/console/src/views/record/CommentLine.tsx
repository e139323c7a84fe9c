import { useContext, useState } from 'preact/hooks'
import { mayDiscuss } from '../../app/discussions.js'
import { faceOfUser } from '../../app/faces.js'
import { hub, identity } from '../../app/session.js'
import { type Comment, wordsOf } from '../../model/notices.js'
import { Ask, Avatar, Menu, Name, Time } from '../../ui/kit.js'
import { Markdown } from '../../ui/Markdown.js'
import { Compose } from './Compose.js'
import { Mentionable } from './Mentionable.js'

/** Answers are answered down to this depth. */
const DEPTH_MOST = 3

interface CommentProps {
  readonly comment: Comment
  readonly reload: () => Promise<void>
  /** Null for who may not answer. */
  readonly answer: (() => void) | null
}

/** What somebody said, with what its author may do about it. */
export function CommentLine({ comment, reload, answer }: CommentProps) {
  const { id, author, createdAt, updatedAt, depth, tombstoned } = comment
  const at = { path: { id } }
  const [open, setOpen] = useState<'change' | 'takeBack' | null>(null)
  const { text, isOwn: isSaid } = wordsOf(comment)
  const people = useContext(Mentionable)
  const isMine = author.id === identity().user.id && !tombstoned
  const items = [
    ...(answer && depth < DEPTH_MOST && depth > 1 ? [{ label: 'Answer', act: answer }] : []),
    ...(isMine && isSaid ? [{ label: 'Change…', icon: 'edit', act: () => setOpen('change') } as const] : []),
    ...(isMine
      ? [{ label: 'Take back…', icon: 'deleted', isDanger: true, act: () => setOpen('takeBack') } as const]
      : [])
  ]
  return (
    <div class="flex fit gap-6" style={{ marginInlineStart: `${(depth - 1) * 1.5}rem` }}>
      <Avatar face={faceOfUser(author)} />
      <div class="fit grow">
        <p>
          <Name class="bold" of={author.name} />{' '}
          <span class="hint">
            <Time at={createdAt} />
            {updatedAt !== createdAt && !tombstoned && ', changed since'}
          </span>
        </p>
        {open === 'change' ? (
          <Compose
            draft={`of/${id}`}
            send={(body) => hub().request('PUT', '/discussion-comments/{id}', { ...at, body })}
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
          <Markdown text={text} people={people} />
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
            await hub().request('DELETE', '/discussion-comments/{id}', at)
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
