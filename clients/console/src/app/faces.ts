import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type Face, type FaceChanges, faceOf, imageRef, usualFace } from '../model/faces.js'
import type { Version } from '../model/versions.js'
import { users } from './accounts.js'
import { dataUrlOf } from './drawFace.js'
import { whenBack } from './hub.js'
import { knownOf } from './loaded.js'
import { hub, identity, isAdmin, isNamed, renewIdentity, whenLeaving } from './session.js'

export const ownFace = (): Face => faceOf(identity().user)
export const hubFace = (): Face => identity().hub

/** Whether nothing was chosen to stand for the hub, and it has no name either that initials could be of. */
export function isFaceless(): boolean {
  const { tenantId, hub } = identity()
  const { initials, color } = usualFace(tenantId, hub.name)
  return !isNamed.value && hub.imageUrl === undefined && hub.initials === initials && hub.color === color
}

/** What stands for somebody: as it is known from elsewhere, else as the answer has it, else what is usual. */
export function faceOfUser({ id, name, avatar }: Version['by']): Face {
  // Whose name is erased, their avatar does not tell.
  if (name === null) return usualFace(id, '')
  if (id === identity().user.id) return ownFace()
  const listed = isAdmin.value ? knownOf(users)?.find((user) => user.id === id) : undefined
  return listed ? faceOf(listed) : (avatar ?? usualFace(id, name))
}

/** Has administrators know everybody's face while a view shows some: what they read in the log has none. */
export function useFaces(): void {
  useEffect(() => (isAdmin.value ? users.open() : undefined), [])
}

/** Chooses what stands for who is signed in. */
export async function changeOwnFace(changes: FaceChanges): Promise<void> {
  await hub().request('PUT', '/auth/profile/avatar', { body: changes })
  await renewIdentity()
}

/** Chooses what stands for the hub. */
export async function changeHubFace(changes: FaceChanges): Promise<void> {
  await hub().request('PUT', '/admin/hub/avatar', { body: changes })
  await renewIdentity()
}

/** Chooses what stands for an account. */
export async function changeUserFace(id: string, { initials, color, imageDataUrl }: FaceChanges): Promise<void> {
  const body = {
    ...(initials !== undefined && { avatarInitials: initials }),
    ...(color !== undefined && { avatarColor: color }),
    ...(imageDataUrl !== undefined && { imageDataUrl })
  }
  await hub().request('PUT', '/admin/users/{id}', { path: { id }, body })
  await users.reload()
}

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
  const { signal: stopped } = stopping
  const ask = async (): Promise<void> => {
    try {
      image.value = await load(url, stopped)
    } catch {
      // Initials stand in its place, until the hub answers again where it does not.
      whenBack(() => void (stopped.aborted || ask()))
    }
  }
  void ask()
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
