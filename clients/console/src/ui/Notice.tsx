import type { ComponentChildren } from 'preact'
import type { Failure } from '../app/hub.js'
import { Button } from './Button.js'
import { Icon, type IconName } from './Icon.js'
import css from './Notice.module.css'

/** A sentence about what is beside it: news, a warning or a refusal. */
export function Notice({
  tone,
  children
}: {
  readonly tone: 'note' | 'bad' | 'good'
  readonly children: ComponentChildren
}) {
  return (
    <div class={`${css.notice} ${css[tone]}`} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon name={tone === 'good' ? 'check' : 'warning'} />
      <div>{children}</div>
    </div>
  )
}

interface PlaceholderProps {
  readonly icon: IconName
  readonly title: string
  readonly children?: ComponentChildren
}

/** What stands where nothing is: says what would be here, and what to do. */
export function Placeholder({ icon, title, children }: PlaceholderProps) {
  return (
    <div class={css.placeholder}>
      <Icon name={icon} size={32} />
      <h2>{title}</h2>
      {children}
    </div>
  )
}

/** What stands where something could not be had: the hub's own sentence, and a way to try again where that may help. */
export function FailureNote({ failure, retry }: { readonly failure: Failure; readonly retry?: () => unknown }) {
  const isForbidden = failure.status === 403
  const isGone = failure.status === 404
  const title = isForbidden ? 'This is not yours to see' : isGone ? 'It is not here' : 'This could not be loaded'
  return (
    <Placeholder icon={isForbidden ? 'lock' : 'warning'} title={title}>
      <p role="alert">{failure.message}</p>
      {retry && !isForbidden && !isGone && <Button onClick={() => retry()}>Try again</Button>}
      {failure.requestId && failure.status >= 500 && <p class={css.small}>Request {failure.requestId}</p>}
    </Placeholder>
  )
}
