import { bytesIn, squareOf } from '../model/faces.js'

/** How long a side of what is sent is. */
const SIDE_PX = 256
const QUALITY = 0.85
/** What the hub keeps of an image. */
const IMAGE_MAX_BYTES = 200 * 1024
/** Before it is made small. */
const FILE_MAX_BYTES = 20_000_000

/** The image in a file, to be drawn from. Throws a sentence where there is none. */
export async function imageIn(file: File): Promise<ImageBitmap> {
  if (file.size > FILE_MAX_BYTES) throw new NoImage(`${file.name} is larger than 20 MB.`)
  try {
    return await createImageBitmap(file)
  } catch {
    throw new NoImage(`${file.name} is no image that this browser can show.`)
  }
}

/** Why a file is no image, in words for people. */
export class NoImage extends Error {}

/** The square of an image as a small JPEG, in a data URL; `part` says which of a long one. Nothing else of the file is in it. */
export function drawFace(image: ImageBitmap, part: number): string {
  const canvas = document.createElement('canvas')
  canvas.width = SIDE_PX
  canvas.height = SIDE_PX
  const drawing = canvas.getContext('2d')
  if (!drawing) throw new NoImage('This browser draws no images.')
  // What can be seen through would be black.
  drawing.fillStyle = '#fff'
  drawing.fillRect(0, 0, SIDE_PX, SIDE_PX)
  drawing.imageSmoothingQuality = 'high'
  const { x, y, side } = squareOf(image.width, image.height, part)
  drawing.drawImage(image, x, y, side, side, 0, 0, SIDE_PX, SIDE_PX)
  const url = canvas.toDataURL('image/jpeg', QUALITY)
  if (bytesIn(url) > IMAGE_MAX_BYTES) throw new NoImage('The image stays larger than 200 KB.')
  return url
}

/** What a file or an answer holds, as a data URL. Rejects where it cannot be read. */
export function dataUrlOf(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })
}
