import { useRef, useState } from 'preact/hooks'
import {
  COMMENTS_SHOWN,
  DISCUSSIONS,
  type DiscussedKind,
  isDiscussed,
  loadDiscussion,
  loadPeople,
  mayDiscuss
} from '../../app/discussions.js'
import type { Failure } from '../../app/hub.js'
import { useReload } from '../../app/live.js'
import { knownOf, useAct, useLoadable } from '../../app/loaded.js'
import { isTold } from '../../app/notices.js'
import { isViewed } from '../../app/records.js'
import { hub, identity } from '../../app/session.js'
import { peopleOf } from '../../model/mentions.js'
import { threadsOf } from '../../model/notices.js'
import { counted } from '../../model/numbers.js'
import { Button, FailureNote, Section } from '../../ui/kit.js'
import { Compose } from './Compose.js'
import { Mentionable } from './Mentionable.js'
import { Thread } from './Thread.js'

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

/** Whether it is the hub that fails. Of what may not be seen, or is gone, the record itself tells. */
const isTrouble = ({ status }: Failure): boolean => status !== 403 && status !== 404

function Discussion({ record: { kind, id, collectionId = null }, about }: DiscussionProps) {
  const most = useRef(COMMENTS_SHOWN)
  const discussion = useLoadable((signal) => loadDiscussion(kind, id, most.current, signal), [kind, id])
  const place = kind === 'collection' ? id : collectionId
  useReload(discussion, (change) => change.kind === 'comment' && change.collectionId === place)
  const others = useLoadable((signal) => loadPeople(place, signal), [place])
  const [said, setSaid] = useState(0)
  const { isBusy, run } = useAct()
  const { reload } = discussion
  const state = discussion.state.value
  if (state.is === 'failed' && isTrouble(state.failure)) {
    return (
      <Section title="Discussion">
        <FailureNote failure={state.failure} retry={reload} />
      </Section>
    )
  }
  if (state.is !== 'ready') return null
  const { comments, isCut } = state.value
  const mayWrite = !isViewed({ id, collectionId })
  const people = peopleOf(comments, [identity().user.name, ...(knownOf(others) ?? [])])
  const showMore = () => {
    most.current += COMMENTS_SHOWN
    return reload()
  }
  return (
    <Mentionable.Provider value={people}>
      <Section
        title="Discussion"
        aside={comments.length > 0 && `${isCut ? 'more than ' : ''}${counted(comments.length, 'comment')}`}
      >
        <div class="stack gap-8">
          {threadsOf(comments).map(({ root, answers }) => (
            <Thread key={root.id} root={root} answers={answers} mayWrite={mayWrite} reload={reload} />
          ))}
          {isCut && (
            <p>
              <Button isBusy={isBusy} onClick={() => void run(showMore)}>
                Show more
              </Button>
            </p>
          )}
          {!mayWrite ? (
            <p class="hint">Who may change what is discussed writes here; you may read it.</p>
          ) : mayDiscuss() ? (
            <Compose
              key={said}
              draft={`${kind}/${id}`}
              send={(body) => hub().request('POST', DISCUSSIONS[kind], { path: { id }, body })}
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
    </Mentionable.Provider>
  )
}
