import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { now } from '../app/clock.js'
import { imageAt } from '../app/faces.js'
import { keepFocus } from '../app/keepFocus.js'
import { FACE_FILLS, type Face, knownColor } from '../model/faces.js'
import { withMarks } from '../model/marks.js'
import type { Kind } from '../model/records.js'
import { ago, exactly } from '../model/time.js'
import css from './basics.module.css'

/** What each icon draws, in a square of 24: strokes only, so that an icon has the colour of the text beside it. */
const SHAPES = {
  hub: 'M5 9l7-4 7 4-7 4zM5 13l7 4 7-4M5 17l7 4 7-4',
  folder: 'M3 7a2 2 0 0 1 2-2h4l2 2.5h8a2 2 0 0 1 2 2V17a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2z',
  document: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  environment: 'M4 7h10M18 7h2M4 17h2M10 17h10M14 4.5v5M6 14.5v5',
  snippet: 'M8 8l-4 4 4 4M16 8l4 4-4 4M13.5 5l-3 14',
  liveServer: 'M4 5h16v6H4zM4 13h16v6H4zM7.5 8h.01M7.5 16h.01',
  livePage: 'M3 5h18v14H3zM3 9.5h18M6 7.25h.01M8.5 7.25h.01',
  bell: 'M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 2h-15zM10 21h4',
  deleted: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20a6.5 6.5 0 0 1 13 0M16 4.5a3.5 3.5 0 0 1 0 6.5M17.5 14a6.5 6.5 0 0 1 4 6',
  groups: 'M12 10a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM6 20a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM18 20a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  token: 'M8 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 12h9v3M17 12v3',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  audit: 'M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01',
  usage: 'M4 20V4M4 20h16M8 16v-4M12 16V8M16 16v-6',
  health: 'M3 12h4l2.5-6 4 12L16 12h5',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5',
  open: 'M9 6l6 6-6 6',
  back: 'M15 6l-6 6 6 6',
  up: 'M6 15l6-6 6 6',
  down: 'M6 9l6 6 6-6',
  move: 'M12 3v18M3 12h18M9 6l3-3 3 3M9 18l3 3 3-3M6 9l-3 3 3 3M18 9l3 3-3 3',
  close: 'M6 6l12 12M18 6L6 18',
  menu: 'M4 7h16M4 12h16M4 17h16',
  more: 'M4 12h1.5M11.25 12h1.5M18.5 12H20',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  history: 'M4 12a8 8 0 1 0 2.5-5.8M4 4v4h4M12 8v4.5l3 2',
  star: 'M12 4l2.4 5 5.6.7-4.1 3.8 1 5.5-4.9-2.7L7.1 19l1-5.5L4 9.7 9.6 9z',
  edit: 'M4 20l1-4L16 5l3 3L8 19z',
  plus: 'M12 5v14M5 12h14',
  warning: 'M12 4l9 16H3zM12 10v4M12 17h.01',
  import: 'M12 4v11M7.5 10.5L12 15l4.5-4.5M4 20h16',
  export: 'M12 15V4M7.5 8.5L12 4l4.5 4.5M4 20h16',
  leave: 'M14 4h6v16h-6M10 8l-4 4 4 4M6 12h10',
  live: 'M12 13a1 1 0 1 0 0-2 1 1 0 0 0 0 2zM8 16a5.5 5.5 0 0 1 0-8M16 8a5.5 5.5 0 0 1 0 8M5 19a10 10 0 0 1 0-14M19 5a10 10 0 0 1 0 14'
} as const

export type IconName = keyof typeof SHAPES

/** A drawing beside a word; it says nothing by itself to who cannot see it. */
export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg class={`${css.icon} still`} width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path d={SHAPES[name]} />
    </svg>
  )
}

/** What stands for each kind of record. */
export const KIND_ICONS: Readonly<Record<Kind, IconName>> = {
  collection: 'hub',
  folder: 'folder',
  request: 'open',
  document: 'document',
  environment: 'environment',
  snippet: 'snippet',
  liveServer: 'liveServer',
  livePage: 'livePage'
}

type NameProps = { readonly of: string; readonly class?: string | undefined }

/** A text that somebody wrote. Its direction is its own, and signs that turn what follows round, or that nobody sees, are marks. */
export function Name({ of: text, class: look }: NameProps) {
  return <bdi class={look}>{withMarks(text)}</bdi>
}

interface Look {
  readonly kind?: 'plain' | 'primary' | 'quiet' | 'danger' | undefined
  readonly icon?: IconName | undefined
  readonly children?: ComponentChildren
}
export type ButtonProps = Look &
  Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'icon' | 'children'> & {
    /** Its work is being done: it cannot be pressed again, says so, and keeps the focus, which what is disabled loses. */
    readonly isBusy?: boolean
  }

/** How a button looks: what is inside of another one can look so too. */
export const buttonLook = ({ kind = 'plain', children }: Look): string =>
  `${css.button} bold plain ${css[kind] ?? ''} ${children ? '' : css.square}`

/** A button. Give it `aria-label` where it has an icon alone. */
export function Button({ kind, icon, isBusy, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      class={buttonLook({ kind, children })}
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy}
      onClick={(event) => {
        if (isBusy) return event.preventDefault()
        onClick?.(event)
        keepFocus()
      }}
      {...rest}
    >
      {icon && <Icon name={icon} size={16} />}
      {children}
    </button>
  )
}

type LinkProps = Look & { readonly href: string; readonly 'aria-label'?: string; readonly onClick?: () => void }

/** A link that looks like a button: where it leads somewhere in the console. */
export function ButtonLink({ kind, icon, children, ...rest }: LinkProps) {
  return (
    <a class={buttonLook({ kind, children })} {...rest}>
      {icon && <Icon name={icon} size={16} />}
      {children}
    </a>
  )
}

interface BadgeProps {
  readonly tone?: 'plain' | 'good' | 'note' | 'bad' | 'accent'
  readonly children: ComponentChildren
}

/** A word about what it stands beside. */
export function Badge({ tone = 'plain', children }: BadgeProps) {
  return <span class={`badge tone-${tone}`}>{children}</span>
}

const TONES: Readonly<Record<string, string>> = {
  GET: 'good',
  POST: 'accent',
  PUT: 'note',
  PATCH: 'note',
  DELETE: 'bad'
}
const SHORT: Readonly<Record<string, string>> = { DELETE: 'DEL', OPTIONS: 'OPT', PATCH: 'PAT' }

/** The method of a request. */
export function Method({ method, isShort }: { readonly method: string; readonly isShort?: boolean }) {
  return (
    <span class={`${css.method} still ${TONES[method] ?? 'soft'} ${isShort ? css.short : ''}`}>
      {isShort ? (SHORT[method] ?? method) : method}
    </span>
  )
}

interface MarkProps {
  readonly kind: Kind
  readonly method?: string | undefined
  readonly size?: number
}

/** What stands before the name of a record: of a request its method. */
export const KindMark = ({ kind, method, size = 18 }: MarkProps) =>
  method ? <Method method={method} isShort /> : <Icon name={KIND_ICONS[kind]} size={size} />

/** A time in words, with the exact one when pointed at. */
export function Time({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={exactly(at)}>
      {ago(at, now.value)}
    </time>
  )
}

interface AvatarProps {
  readonly face: Face
  /** An image in place of that of the face; null for none. */
  readonly image?: string | null
  readonly size?: 'small' | 'large'
  /** Of something that is nobody. */
  readonly isSquare?: boolean
}

/** What stands for somebody: their image, or else their initials in their colour. It takes the same room either way. */
export function Avatar({ face: { initials, color, imageUrl }, image, size = 'small', isSquare }: AvatarProps) {
  // Once: where more are to be seen than are kept, each that comes would be asked for anew.
  const known = useMemo(() => imageAt(imageUrl), [imageUrl]).value
  const shown = image === undefined ? known : image
  return (
    <span
      class={`${css.avatar} within clip still ${css[size]} ${isSquare ? css.avatarSquare : ''}`}
      style={{ background: FACE_FILLS[knownColor(color)] }}
      aria-hidden="true"
      // Drawn by the style: as a text they would have to be part of the name of a button that they are on.
      data-initials={initials}
    >
      {shown && <img class={css.image} src={shown} alt="" />}
    </span>
  )
}
