import type { ComponentChildren, JSX, VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { type Failure, whenBack } from '../app/hub.js'
import type { Loadable } from '../app/loaded.js'
import { Button, Icon, type IconName } from './basics.js'
import css from './states.module.css'

interface NoticeProps {
  readonly tone: 'note' | 'bad' | 'good'
  readonly children: ComponentChildren
}

/** A sentence about what is beside it: news, a warning or a refusal. */
export function Notice({ tone, children }: NoticeProps) {
  return (
    <div class={`${css.line} notice flex gap-5 tone-${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
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
    <div class={`${css.placeholder} row soft gap-6`}>
      <Icon name={icon} size={32} />
      <h2 class="large">{title}</h2>
      {children}
    </div>
  )
}

interface FailureProps {
  readonly failure: Failure
  readonly retry?: () => unknown
  /** Where to go on from what is not there, or is others': links to what is. */
  readonly onward?: VNode | undefined
}

/** What stands where something could not be had: the hub's own sentence, and a way to try again or to go on where that may help. */
export function FailureNote({ failure, retry, onward }: FailureProps) {
  const { status } = failure
  const isForbidden = status === 403
  const isGone = status === 404
  // What is refused for what it is, is refused again.
  const mayHelp = status === 0 || status === 429 || status >= 500
  const title = isForbidden ? 'This is not yours to see' : isGone ? 'It is not here' : 'This could not be loaded'
  return (
    <Placeholder icon={isForbidden ? 'lock' : 'warning'} title={title}>
      <p role="alert">{isForbidden ? notYours(failure.message) : failure.message}</p>
      {(isForbidden || isGone) && onward}
      {retry && mayHelp && <Button onClick={() => retry()}>Try again</Button>}
      {failure.requestId && status >= 500 && <p class="hint">Request {failure.requestId}</p>}
    </Placeholder>
  )
}

/** What the hub says in place of a sentence about something that is gone, was never there, or is others'. */
const UNTOLD = 'Forbidden'
const notYours = (said: string) =>
  said === UNTOLD
    ? 'It is gone, or nobody has shared it with you. Who manages it, or an administrator, can do that.'
    : said

const PATIENCE_MS = 200

interface ShowProps<T> {
  readonly of: Loadable<T>
  /** What stands there while it loads, in the shape of what comes: lines by default. */
  readonly skeleton?: JSX.Element
  /** Where to go on from a page that is all about what is not there. */
  readonly onward?: VNode
  readonly children: (value: T) => ComponentChildren
}

/** What was asked for, once it is there; before that nothing for a moment, then its shape; or why it is not to be had. */
export function Show<T>({ of, skeleton, onward, children }: ShowProps<T>) {
  const state = of.state.value
  if (state.is === 'ready') return <>{children(state.value)}</>
  if (state.is === 'failed') return <FailureNote failure={state.failure} retry={of.reload} onward={onward} />
  return <Late>{skeleton ?? <Skeleton />}</Late>
}

/** What is only shown where there is more to wait for than a moment. */
function Late({ children }: { readonly children: ComponentChildren }) {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  return isLate ? (
    <div aria-busy="true">
      <span class="visually-hidden" role="status">
        Loading
      </span>
      {children}
    </div>
  ) : null
}

const WIDTHS = ['70%', '45%', '60%', '30%']

/** Lines of a text that is not there yet. */
export function Skeleton({ lines = 6 }: { readonly lines?: number }) {
  return (
    <div class={`${css.skeleton} stack gap-6`} aria-hidden="true">
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} style={{ width: WIDTHS[index % WIDTHS.length] }} />
      ))}
    </div>
  )
}

/**
 * What `load` brings, anew whenever one of `inputs` is another: undefined until it is there, null where it cannot be had. A hub
 * that does not answer is asked again when it does.
 */
export function useLater<T>(load: () => Promise<T>, inputs: readonly unknown[]): T | null | undefined {
  const [loaded, setLoaded] = useState<{ readonly value: T | null }>()
  useEffect(() => {
    let isWanted = true
    const ask = async (): Promise<void> => {
      const value = await load().catch(() => null)
      if (!isWanted) return
      setLoaded({ value })
      if (value === null) whenBack(() => void (isWanted && ask()))
    }
    void ask()
    return () => {
      isWanted = false
    }
  }, inputs)
  return loaded?.value
}

/** Modules that are there: only the first who shows something of one waits for it. */
const modules = new WeakMap<() => Promise<object>, object>()

interface LaterProps<T> {
  /** Brings a module that few need, and that is not part of the first load for that reason. */
  readonly load: () => Promise<T>
  readonly children: (module: T) => VNode
}

/** What a module shows, once it is there. */
export function Later<T extends object>({ load, children }: LaterProps<T>) {
  const loaded = useLater(async () => {
    const module = await load()
    modules.set(load, module)
    return module
  }, [load])
  // What was kept for this way of loading is what it brings.
  const module = loaded ?? (modules.get(load) as T | undefined)
  if (module) return children(module)
  if (loaded === undefined) {
    return (
      <Late>
        <Skeleton />
      </Late>
    )
  }
  return (
    <Placeholder icon="warning" title="This part of the console could not be loaded">
      <p role="alert">It comes once the hub answers. If the hub does answer, reload the page.</p>
    </Placeholder>
  )
}
