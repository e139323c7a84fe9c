import { faceOfUser } from '../../app/faces.js'
import { readNotice } from '../../app/notices.js'
import { linkTo } from '../../app/route.js'
import { useAct } from '../../app/useAct.js'
import { type Notice as NoticeRecord, noticeSays, recordOf } from '../../model/notices.js'
import { pathOf } from '../../model/records.js'
import { Button } from '../../ui/Button.js'
import { Method } from '../../ui/Method.js'
import { Notice } from '../../ui/Notice.js'
import { Time } from '../../ui/Time.js'
import { FaceOf } from '../faces/FaceOf.js'
import css from './Notices.module.css'

interface NoticeLineProps {
  readonly notice: NoticeRecord
  readonly reload: () => Promise<void>
}

/** One notice: who did what, and the way there, by which it is read. */
export function NoticeLine({ notice, reload }: NoticeLineProps) {
  const { actor, createdAt, readAt, displayMetadata } = notice
  const { targetLabel, method, previewText } = displayMetadata
  const { isBusy, failure, run } = useAct()
  const record = recordOf(notice)
  const isNew = readAt === null
  const read = async () => {
    await readNotice(notice.id)
    await reload()
  }
  const target = <bdi>{targetLabel}</bdi>
  return (
    <li class={`${css.line} ${isNew ? css.fresh : ''}`}>
      <FaceOf face={faceOfUser(actor)} />
      <div class={css.words}>
        <p>
          {isNew && <span class="visually-hidden">New: </span>}
          <bdi class={css.who}>{actor.name}</bdi> {noticeSays(notice)}{' '}
          {method !== undefined && (
            <>
              <Method method={method} isShort />{' '}
            </>
          )}
          {record ? (
            <a href={linkTo(pathOf(record))} onClick={() => isNew && void readNotice(notice.id).catch(() => {})}>
              {target}
            </a>
          ) : (
            target
          )}
        </p>
        {previewText && (
          <p class={css.preview}>
            <bdi>{previewText}</bdi>
          </p>
        )}
        <p class={css.when}>
          <Time at={createdAt} />
        </p>
        {failure && <Notice tone="bad">{failure.message}</Notice>}
      </div>
      <span class={css.act}>
        {isNew && (
          <Button
            kind="quiet"
            icon="check"
            isBusy={isBusy}
            aria-label={`Mark as read: ${actor.name}, ${targetLabel}`}
            onClick={() => run(read)}
          />
        )}
      </span>
    </li>
  )
}
