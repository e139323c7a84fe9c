import { useState } from 'preact/hooks'
import { faceOfUser } from '../../app/faces.js'
import { useReload } from '../../app/live.js'
import { useAct, useLoadable, useMoment } from '../../app/loaded.js'
import { countUnread, isTold, loadNotices, unread } from '../../app/notices.js'
import { linkTo } from '../../app/route.js'
import { ask, hub } from '../../app/session.js'
import { LEVELS, type Level, type Notice as NoticeRecord, noticeSays, placeOf, tells } from '../../model/notices.js'
import { Avatar, Button, Method, Name, Notice, Page, Placeholder, Select, Show, Skeleton, Time } from '../../ui/kit.js'
import { EndingTokens } from '../account/EndingTokens.js'
import { NearBudgets } from '../account/NearBudgets.js'
import css from './notices.module.css'

/** What others have done that concerns the reader, the newest first. */
export function Notices() {
  if (isTold()) return <NoticeList />
  return (
    <Page title="Notices">
      <Placeholder icon="bell" title="Notices are for who works with records">
        <p>What happens in the hub is told under Audit.</p>
      </Placeholder>
    </Page>
  )
}

function NoticeList() {
  const [pages, setPages] = useState(1)
  const notices = useMoment(loadNotices, '', pages)
  useReload(notices, ({ kind }) => tells(kind))
  const { isBusy, failure, run } = useAct()
  const level = useLoadable(async (signal) => (await ask('GET', '/me/notification-settings', { signal })).level, [])
  const choose = (to: Level) =>
    void run(async () => {
      await hub().request('PUT', '/me/notification-settings', { body: { level: to } })
      level.change(() => to)
      await countUnread()
      await notices.reload()
    })
  const all = async () => {
    await hub().request('POST', '/notices/read-all')
    await countUnread()
    await notices.reload()
  }
  return (
    <Page
      title="Notices"
      lead="What others have done that concerns you."
      actions={
        <Button icon="check" isBusy={isBusy} disabled={unread.value === 0} onClick={() => run(all)}>
          Mark all as read
        </Button>
      }
    >
      <NearBudgets />
      <EndingTokens />
      <Show of={level} skeleton={<Skeleton lines={2} />}>
        {(chosen) => (
          <div class="narrow">
            <Select label="Tell me about" value={chosen} options={LEVELS} disabled={isBusy} change={choose} />
          </div>
        )}
      </Show>
      {failure && <Notice tone="bad">{failure.message}</Notice>}
      <Show of={notices}>
        {({ notices: shown, hasOlder }) =>
          shown.length === 0 ? (
            <Placeholder icon="bell" title="Nothing new">
              <p>What others save, run or say about what you may see appears here by itself.</p>
            </Placeholder>
          ) : (
            <>
              <ul class={`${css.list} stack`}>
                {shown.map((notice) => (
                  <NoticeLine key={notice.id} notice={notice} reload={notices.reload} />
                ))}
              </ul>
              {hasOlder && (
                <div>
                  <Button onClick={() => setPages(pages + 1)}>Older</Button>
                </div>
              )}
            </>
          )
        }
      </Show>
    </Page>
  )
}

/** One notice: who did what, and the way there, by which it is read. */
function NoticeLine({ notice, reload }: { readonly notice: NoticeRecord; readonly reload: () => Promise<void> }) {
  const { actor, createdAt, readAt, displayMetadata } = notice
  const { targetLabel, method, previewText } = displayMetadata
  const { isBusy, failure, run } = useAct()
  const isNew = readAt === null
  const note = async () => {
    await hub().request('POST', '/notices/{id}/read', { path: { id: notice.id } })
    await countUnread()
  }
  return (
    <li class={`${css.line} flex ruled gap-6 ${isNew ? css.fresh : ''}`}>
      <Avatar face={faceOfUser(actor)} />
      <div class="fit grow">
        <p>
          {isNew && <span class="visually-hidden">New: </span>}
          <Name class="bold" of={actor.name} /> {noticeSays(notice)}{' '}
          {method !== undefined && (
            <>
              <Method method={method} isShort />{' '}
            </>
          )}
          <a href={linkTo(placeOf(notice))} onClick={() => isNew && void note().catch(() => {})}>
            <Name of={targetLabel} />
          </a>
        </p>
        {previewText && (
          <p class={`${css.preview} soft`}>
            <Name of={previewText} />
          </p>
        )}
        <p class="hint">
          <Time at={createdAt} />
        </p>
        {failure && <Notice tone="bad">{failure.message}</Notice>}
      </div>
      <span class={`${css.act} still`}>
        {isNew && (
          <Button
            kind="quiet"
            icon="check"
            isBusy={isBusy}
            aria-label={`Mark as read: ${actor.name}, ${targetLabel}`}
            onClick={() => run(() => note().then(reload))}
          />
        )}
      </span>
    </li>
  )
}
