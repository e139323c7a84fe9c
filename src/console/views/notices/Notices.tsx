import { useState } from 'preact/hooks'
import { useLoadable } from '../../app/loaded.js'
import { isTold, loadNotices, readAll, unread } from '../../app/notices.js'
import { useAct } from '../../app/useAct.js'
import { useReload } from '../../app/useReload.js'
import { tells } from '../../model/notices.js'
import { Button } from '../../ui/Button.js'
import { Notice, Placeholder } from '../../ui/Notice.js'
import { Page } from '../../ui/Page.js'
import { Show } from '../../ui/Show.js'
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
