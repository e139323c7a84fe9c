import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { imageRef } from '../model/faces.js'
import { dataUrlOf } from './dataUrl.js'
import { hub, whenLeaving } from './session.js'

/** So many images are kept; the one that was not shown for the longest time goes first. */
const IMAGES_MOST = 100
/** What the hub keeps of images. Nothing else becomes one here, whatever it is called. */
const TYPES = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif'])

const NONE: ReadonlySignal<string | null> = signal(null)
const kept = new Map<string, Signal<string | null>>()
let stopping = new AbortController()

/**
 * The image at an address of the hub, as a data URL: null until it is there, and where it is not to be had. A browser sends no
 * token for images by itself, so it is asked for here, once for each address: another image has another one.
 */
export function imageAt(url: string | undefined): ReadonlySignal<string | null> {
  if (url === undefined) return NONE
  const image = kept.get(url) ?? begun(url)
  kept.delete(url)
  kept.set(url, image)
  const [oldest] = kept.keys()
  if (kept.size > IMAGES_MOST && oldest !== undefined) kept.delete(oldest)
  return image
}

function begun(url: string): Signal<string | null> {
  const image = signal<string | null>(null)
  load(url, stopping.signal).then(
    (dataUrl) => {
      image.value = dataUrl
    },
    // Initials stand in its place.
    () => {}
  )
  return image
}

async function load(url: string, signal: AbortSignal): Promise<string | null> {
  const ref = imageRef(url)
  if (!ref) return null
  const query = { v: ref.v }
  const { body } =
    ref.of === 'hub'
      ? await hub().download('/auth/hub/avatar', { query, signal })
      : await hub().download('/auth/users/{id}/avatar', { path: { id: ref.id }, query, signal })
  return body.type !== null && TYPES.has(body.type) ? dataUrlOf(new Blob([body.bytes], { type: body.type })) : null
}

whenLeaving(() => {
  stopping.abort()
  stopping = new AbortController()
  kept.clear()
})
