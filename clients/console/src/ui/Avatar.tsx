import { type Face, knownColor } from '../model/faces.js'
import css from './Avatar.module.css'

interface AvatarProps {
  readonly face: Face
  /** The image itself, where it is there. */
  readonly image?: string | null
  readonly size?: 'small' | 'large'
  /** Of something that is nobody. */
  readonly isSquare?: boolean
}

/** What stands for somebody: their image, or else their initials in their colour. It takes the same room either way. */
export function Avatar({ face: { initials, color }, image, size = 'small', isSquare }: AvatarProps) {
  return (
    <span
      class={`${css.avatar} ${css[knownColor(color)]} ${css[size]} ${isSquare ? css.square : ''}`}
      aria-hidden="true"
      // Drawn by the style: as a text they would have to be part of the name of a button that they are on.
      data-initials={initials}
    >
      {image && <img class={css.image} src={image} alt="" />}
    </span>
  )
}
