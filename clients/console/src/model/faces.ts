/** The colours that accounts and the hub choose between, each as dark as white letters need it. */
export const FACE_FILLS = {
  'sky-600': '#0369a1',
  'violet-600': '#7c3aed',
  'emerald-600': '#047857',
  'amber-600': '#b45309',
  'rose-600': '#be123c',
  'cyan-600': '#0e7490',
  'indigo-600': '#4f46e5',
  'teal-600': '#0f766e'
} as const
export type FaceColor = keyof typeof FACE_FILLS
const isFaceColor = (text: string): text is FaceColor => Object.hasOwn(FACE_FILLS, text)
export const FACE_COLORS: readonly FaceColor[] = Object.keys(FACE_FILLS).filter(isFaceColor)

/** What stands for somebody, or for the hub. */
export interface Face {
  readonly initials: string
  readonly color: string
  /** Where the image is; absent where there is none. */
  readonly imageUrl?: string | undefined
}

/** What stands for an account, as the hub tells it beside other fields. */
export function faceOf(account: {
  readonly avatarInitials: string
  readonly avatarColor: string
  readonly avatarImageUrl?: string | undefined
}): Face {
  const { avatarInitials: initials, avatarColor: color, avatarImageUrl: imageUrl } = account
  return { initials, color, imageUrl }
}

/** What stands for an account of which only this is known: the same as the hub has it while nothing else is chosen. */
export function usualFace(id: string, name: string): Face {
  const words = name
    .normalize('NFC')
    .split(/\s+/)
    .map((word) => word.replace(/\P{L}/gu, ''))
    .filter(Boolean)
  const letters = words.length > 1 ? words.slice(0, 2).map((word) => [...word][0]) : [...(words[0] ?? '')].slice(0, 2)
  let hash = 0
  for (let i = 0; i < id.length; i++) hash = (hash * 31 + id.charCodeAt(i)) >>> 0
  const initials = [...letters.join('').toUpperCase()].slice(0, 2).join('') || '?'
  return { initials, color: FACE_COLORS[hash % FACE_COLORS.length] ?? 'sky-600' }
}

/** A colour that can be shown: one of a newer hub is the first of those that are known. */
export const knownColor = (color: string): FaceColor => (isFaceColor(color) ? color : 'sky-600')

/** What people call a colour. */
export const colorName = (color: FaceColor): string =>
  `${color.charAt(0).toUpperCase()}${color.slice(1, color.indexOf('-'))}`

/** What is wrong with initials that were typed; undefined where nothing is. */
export const initialsFault = (typed: string): string | undefined =>
  /^\p{L}{1,2}$/u.test(typed.normalize('NFC').trim()) ? undefined : 'Initials are one or two letters.'

/** What the image belongs to that an address of the hub names, and which one of it is meant; null where it names none. */
export function imageRef(url: string) {
  const [path = '', query = ''] = url.split('?', 2)
  const v = new URLSearchParams(query).get('v') ?? ''
  if (path === '/auth/hub/avatar') return { of: 'hub', v } as const
  const [, id] = /^\/auth\/users\/([^/]+)\/avatar$/.exec(path) ?? []
  return id === undefined ? null : ({ of: 'user', id, v } as const)
}

/** What somebody has chosen anew; what is left out stays, and null takes the image away. */
export interface FaceChanges {
  readonly initials?: string
  readonly color?: FaceColor
  readonly imageDataUrl?: string | null
}

/** What was changed of a face: undefined for an image that stays. */
export function faceChanges(
  before: Face,
  after: { readonly initials: string; readonly color: FaceColor; readonly image: string | null | undefined }
): FaceChanges {
  const initials = after.initials.trim()
  return {
    ...(initials.toUpperCase() !== before.initials && { initials }),
    ...(after.color !== before.color && { color: after.color }),
    ...(after.image !== undefined && { imageDataUrl: after.image })
  }
}

/** The square of an image that is kept: the whole of its shorter side, and of its longer one from 0, its beginning, to 1, its end. */
export function squareOf(width: number, height: number, part: number) {
  const side = Math.min(width, height)
  return { x: Math.round((width - side) * part), y: Math.round((height - side) * part), side }
}

/** How many bytes a data URL in base64 holds. */
export function bytesIn(dataUrl: string): number {
  const text = dataUrl.slice(dataUrl.indexOf(',') + 1).replace(/=+$/, '')
  return Math.floor((text.length * 3) / 4)
}
