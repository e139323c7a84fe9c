import type { Editing } from '../../app/editing.js'
import { Button } from '../../ui/Button.js'
import { Notice } from '../../ui/Notice.js'
import css from './editing.module.css'
import { called, listed, people } from './words.js'

/** Tells who has changed the record meanwhile, and what becomes of it. */
export function News({ editing }: { readonly editing: Editing }) {
  const news = editing.news.value
  if (!news) return null
  const { conflicts } = editing.merged.value
  const what = listed(news.places.map(called))
  return (
    <Notice tone="note">
      <div class={css.news}>
        <span>
          <bdi>{people(news.who)}</bdi> changed this meanwhile: <bdi>{what}</bdi>.{' '}
          {news.isTaken
            ? 'You see it as it is now.'
            : conflicts.length > 0
              ? `You have changed ${listed(conflicts.map(called))} as well: when you save, you choose.`
              : 'When you save, it is taken over.'}
        </span>
        {!news.isTaken && (
          <Button onClick={() => editing.takeOver()}>{conflicts.length > 0 ? 'Choose now' : 'Take it over now'}</Button>
        )}
      </div>
    </Notice>
  )
}
