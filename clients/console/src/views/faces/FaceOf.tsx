import { imageAt } from '../../app/images.js'
import type { Face } from '../../model/faces.js'
import { Avatar } from '../../ui/Avatar.js'

interface FaceOfProps {
  readonly face: Face
  readonly size?: 'small' | 'large'
  readonly isSquare?: boolean
}

/** What stands for somebody, with its image once that is there. */
export function FaceOf({ face, ...look }: FaceOfProps) {
  return <Avatar face={face} image={imageAt(face.imageUrl).value} {...look} />
}
