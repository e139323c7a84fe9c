import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { sentColor, sentInitials } from '../../../commands/people/avatar/avatar.js'
import { usersTable } from '../../../commands/people/user/table.js'
import { HUB_ID } from '../../../commands/tenants/hub/events.js'
import { avatarFields, hubRecord, imageOfHub, imageOfUser, type ShownImage } from '../../../queries/avatars.js'
import type { Hub } from '../../app/hub.js'
import { errors } from '../../errors.js'
import { boundedText, LIMITS } from '../../limits.js'
import { type SentImage, sentImage } from '../../records/images/sent.js'
import { withImage } from '../../records/images/shown.js'
import { imageAnswers, ownAvatar, thisHub } from '../answers.js'
import { isKnown, json, type Reply } from '../reply.js'
import { routes } from '../route.js'

/** An image as it is sent: a data URL, or null to take it away. */
const imageDataUrl = boundedText(
  LIMITS.imageUrl,
  errors.avatarImageMalformed().message,
  errors.avatarImageTooLarge().message
).nullable()

/** The image that was sent, null where it is taken away, undefined where it stays. Throws the refusal of what is no image. */
export function sentOrNone(dataUrl: string | null | undefined): SentImage | null | undefined {
  return typeof dataUrl === 'string' ? sentImage(dataUrl) : dataUrl
}

/** What stands for somebody, as it is sent. */
export const sentAvatar = z.object({
  initials: sentInitials
    .optional()
    .describe('One or two letters of any script, kept in upper case. Left out, they stay.'),
  color: sentColor.optional().describe('The name of a colour. Left out, it stays.'),
  imageDataUrl: imageDataUrl
    .optional()
    .describe('A JPEG, PNG, WebP or GIF as a data URL; null takes the image away. Left out, it stays.')
})

/** Clients ask again under another `v` when the image has changed. */
const version = z.object({
  v: boundedText(LIMITS.id).optional().describe('Anything: it makes caches tell images apart.')
})

/** What stands for accounts and for the hub: initials, a colour and an image. */
export function avatarRoutes(app: FastifyInstance): void {
  const route = routes(app, 'avatars')
  const changing = { body: sentAvatar, takes: 'content' } as const

  route('PUT', '/auth/profile/avatar', 'changeOwnAvatar', ownAvatar, {
    summary: 'Choose what stands for the own account; what is left out stays',
    about:
      'An image is at most 200 KB and 4096 by 4096 pixels, and has to be what its data URL says. Initials and colour that nobody has chosen follow from the name and the id. A request that changes nothing is refused with 400.',
    ...changing,
    handle: async ({ hub, body, caller, change }) => {
      const { image, changes } = changesOf(body)
      const command = { type: 'ChangeAvatar', id: caller.userId, changes } as const
      return json(avatarFields(await withImage(hub.ledger, image, () => change(command, usersTable))))
    }
  })

  route('PUT', '/admin/hub/avatar', 'changeHubAvatar', thisHub, {
    summary: 'Choose what stands for the hub; what is left out stays',
    about:
      'In a hub with tenants it is that of the tenant. An image is at most 200 KB and 4096 by 4096 pixels. A request that names nothing is refused with 400.',
    ...changing,
    handle: async ({ hub, readModel, body, run }) => {
      const { image, changes } = changesOf(body)
      await withImage(hub.ledger, image, () => run({ type: 'ChangeHubAvatar', id: HUB_ID, changes }))
      return json(await hubRecord(readModel, hub.tenant))
    }
  })

  const getting = { refuses: [404], isTagged: true, query: version } as const
  route('GET', '/auth/users/:id/avatar', 'getAvatarImage', imageAnswers, {
    summary: 'Get the image of an account',
    about:
      'Everybody with a token sees the images of all accounts. 404 where the account has none. The entity tag is the SHA-256 of the bytes.',
    ...getting,
    handle: async ({ hub, readModel, params, request, reply }) =>
      imageReply(hub, request, reply, await imageOfUser(readModel, params.id))
  })

  route('GET', '/auth/hub/avatar', 'getHubAvatarImage', imageAnswers, {
    summary: 'Get the image of the hub',
    about: '404 where it has none. The entity tag is the SHA-256 of the bytes.',
    ...getting,
    handle: async ({ hub, readModel, request, reply }) => imageReply(hub, request, reply, await imageOfHub(readModel))
  })
}

function changesOf({ imageDataUrl, ...changes }: z.infer<typeof sentAvatar>) {
  const isEmpty = [imageDataUrl, ...Object.values(changes)].every((value) => value === undefined)
  if (isEmpty) throw errors.avatarEmpty()
  const image = sentOrNone(imageDataUrl)
  return { image, changes: { ...changes, image: image ? image.ref : image } }
}

/** Whatever somebody has made of the bytes, a browser shows an image or nothing. */
const IMAGE_HEADERS = {
  'cache-control': 'private, max-age=3600',
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff'
}

/** The bytes are asked for only where the client has not got them. */
async function imageReply(
  { ledger }: Hub,
  request: FastifyRequest,
  reply: FastifyReply,
  image: ShownImage | null
): Promise<Reply> {
  if (!image) throw errors.notFound('Avatar image')
  const etag = `"${image.sha256}"`
  const hasIt = isKnown(request, etag)
  const body = hasIt ? null : await ledger.storage.blobs.get(image.sha256)
  if (!body && !hasIt) throw errors.notFound('Avatar image')
  reply.headers(IMAGE_HEADERS)
  // It is compressed as it is.
  const packed = async () => null
  return { status: 200, body, contentType: image.mediaType, etag, packed }
}
