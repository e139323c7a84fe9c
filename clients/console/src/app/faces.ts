import { effect, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type Face, type FaceChanges, faceOf, usualFace } from '../model/faces.js'
import { knownOf, users } from './accounts.js'
import { onChange } from './live.js'
import { hub, identity, isAdmin, session } from './session.js'

interface Own {
  readonly me: Face
  readonly hub: Face
}

/** What stands for who is signed in, and for the hub; null while nobody is. */
const own = signal<Own | null>(null)

effect(() => {
  const state = session.value
  own.value = state.is === 'open' ? { me: faceOf(state.identity.user), hub: state.identity.hub } : null
})

// Somebody may have chosen something else, with another client or for them.
onChange(({ type, id }) => {
  const state = session.peek()
  const isOwn = type === 'AvatarChanged' && state.is === 'open' && id === state.identity.user.id
  if (isOwn || type === 'HubAvatarChanged') void renew()
})

async function renew(): Promise<void> {
  const asked = hub()
  // What is shown stays where the hub does not answer.
  const { body } = await asked.request('GET', '/auth/session').catch(() => ({ body: null }))
  const state = session.peek()
  if (body && state.is === 'open' && state.hub === asked) own.value = { me: faceOf(body.user), hub: body.hub }
}

export const ownFace = (): Face => own.value?.me ?? faceOf(identity().user)
export const hubFace = (): Face => own.value?.hub ?? identity().hub

/** Somebody who has done something, as answers name them. */
interface Who {
  readonly id: string
  readonly name: string | null
  readonly avatar?: Face | undefined
}

/** What stands for somebody: as it is known from elsewhere, else as the answer has it, else what is usual. */
export function faceOfUser({ id, name, avatar }: Who): Face {
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
  const { body } = await hub().request('PUT', '/auth/profile/avatar', { body: changes })
  if (own.value) own.value = { ...own.value, me: faceOf(body) }
}

/** Chooses what stands for the hub. */
export async function changeHubFace(changes: FaceChanges): Promise<void> {
  const { body } = await hub().request('PUT', '/admin/hub/avatar', { body: changes })
  if (own.value) own.value = { ...own.value, hub: body }
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
