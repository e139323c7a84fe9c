import { useState } from 'preact/hooks'
import { useLoadable } from '../../app/loaded.js'
import { chooseLevel, isTold, loadLevel, loadNotices, readAll, unread } from '../../app/notices.js'
import { useAct } from '../../app/useAct.js'
import { useReload } from '../../app/useReload.js'
import { LEVELS, type Level, tells } from '../../model/notices.js'
import { Button } from '../../ui/Button.js'
import { Notice, Placeholder } from '../../ui/Notice.js'
import { Page } from '../../ui/Page.js'
import { Select } from '../../ui/Select.js'
import { Show, Skeleton } from '../../ui/Show.js'
import { NoticeLine } from './NoticeLine.js'
import css from './Notices.module.css'

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
  const notices = useLoadable((signal) => loadNotices(pages, signal), [pages])
  useReload(notices, ({ kind }) => tells(kind))
  const { isBusy, failure, run } = useAct()
  const level = useLoadable(loadLevel, [])
  const choose = (to: Level) =>
    void run(async () => {
      await chooseLevel(to)
      level.change(() => to)
      await notices.reload()
    })
  const all = async () => {
    await readAll()
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
      <Show of={level} skeleton={<Skeleton lines={2} />}>
        {(chosen) => (
          <div class={css.level}>
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
              <ul class={css.list}>
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
