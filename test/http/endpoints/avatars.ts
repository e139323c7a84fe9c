import * as assert from 'uvu/assert'
import { LIMITS } from '../../../src/limits.js'
import { dataUrl, gif, jpegOf, pngOf, pngOfBytes } from '../../images/made.js'
import { fields, holds } from '../client.js'
import { type Case, type Row, refuses, works } from '../endpoint.js'
import { succeeded, type World } from '../world.js'

const png = pngOf(3, 2)
const pngUrl = dataUrl('image/png', png)
const NO_IMAGE = 'Avatar image not found'
const MALFORMED = 'Avatar image must be a base64 image data URL.'
const TOO_LARGE = 'Avatar image exceeds the maximum size of 204800 bytes.'
const LETTERS = 'Avatar initials must contain letters only.'
const COUNT = 'Avatar initials must be one or two letters.'
const EMPTY = 'Send initials, color or imageDataUrl.'
const damaged = (format: string) => `Avatar image is damaged, cut short, or no ${format} at all.`
const SVG = 'Avatar image type "image/svg+xml" is not supported. Use JPEG, PNG, WebP, or GIF.'
const TOO_WIDE = 'Avatar image must be at most 4096 pixels wide and high.'

async function withImage(world: World) {
  const by = await world.user()
  succeeded(await world.by(by).put('/auth/profile/avatar', { imageDataUrl: pngUrl }))
  return by
}

/** What no image may be, with the text that says why. */
const WRONG_IMAGES: readonly (readonly [error: string, when: string, imageDataUrl: unknown])[] = [
  [MALFORMED, 'a text that is no data URL', 'https://example.com/a.png'],
  [MALFORMED, 'a data URL in capitals', pngUrl.replace('data:image', 'DATA:IMAGE')],
  [MALFORMED, 'a data URL that is not base64', 'data:image/png,abc'],
  [MALFORMED, 'characters that base64 has not', `${pngUrl}*`],
  [MALFORMED, 'a number for an image', 5],
  [SVG, 'an SVG', dataUrl('image/svg+xml', Buffer.from('<svg/>'))],
  ['Avatar image payload is empty.', 'no bytes', 'data:image/png;base64, \n'],
  [TOO_LARGE, 'a byte too many', dataUrl('image/png', pngOfBytes(LIMITS.blob.max + 1))],
  [TOO_LARGE, 'far too many bytes', `data:image/png;base64,${'A'.repeat(LIMITS.imageUrl.max)}`],
  [damaged('WebP'), 'bytes of no image', dataUrl('image/webp', Buffer.alloc(3))],
  [damaged('JPEG'), 'an image of another type', dataUrl('image/jpeg', png)],
  [damaged('PNG'), 'an image that is cut short', dataUrl('image/png', png.subarray(0, -1))],
  [damaged('PNG'), 'an image without pixels', dataUrl('image/png', pngOf(0, 2))],
  [TOO_WIDE, 'an image that is too wide', dataUrl('image/jpeg', jpegOf(4097, 2))]
]

/** What is refused of initials, under this name. */
const wrongInitials = (name: string): readonly Case[] =>
  (
    [
      [LETTERS, 'K1'],
      [LETTERS, '★'],
      [COUNT, ''],
      [COUNT, '  '],
      [COUNT, 'ABC'],
      ['Avatar initials must be a string.', null]
    ] as const
  ).map(([error, value]) => refuses(400, error, `the initials ${value}`, { body: { [name]: value } }))

const wrongImages = WRONG_IMAGES.map(([error, when, imageDataUrl]) =>
  refuses(400, error, when, { body: { imageDataUrl } })
)

/** What stands for accounts and for the hub. */
export const avatarRows: readonly Row[] = [
  {
    row: 'PUT /auth/profile/avatar',
    sample: async (world) => ({ by: await world.user(), body: { initials: 'kt', color: 'teal-600' } }),
    cases: [
      works('initials are kept in upper case, without blanks', {
        body: { initials: ' kt ' },
        check: ({ body }) => assert.equal(body, { avatarInitials: 'KT', avatarColor: 'teal-600' })
      }),
      works('a letter of any script', {
        body: { initials: 'e\u0301' },
        check: ({ body }) => holds(body, { avatarInitials: 'É' })
      }),
      works('an image as large as may be, with blanks in its payload, as an administrator', {
        by: 'admin',
        body: { imageDataUrl: dataUrl('image/png', pngOfBytes(LIMITS.blob.max)).replace(/.{5000}/g, '$&\n ') },
        check: ({ body }) => assert.ok(fields(body).avatarImageUrl)
      }),
      works('null takes the image away: its address is absent then', async (world) => ({
        by: await withImage(world),
        body: { imageDataUrl: null },
        check: ({ body }) => assert.not.ok('avatarImageUrl' in fields(body))
      })),
      refuses(400, EMPTY, 'nothing is sent', () => ({ body: { name: 'Eve' } })),
      ...wrongInitials('initials'),
      ...wrongImages
    ]
  },
  {
    row: 'GET /auth/users/:id/avatar',
    sample: async (world) => ({ params: { id: (await withImage(world)).id } }),
    cases: [
      works('whatever v is', { query: 'v=1', check: ({ bytes }) => assert.equal(bytes, png) }),
      refuses(404, NO_IMAGE, 'the account has no image', async (world) => ({ params: { id: (await world.user()).id } }))
    ]
  },
  {
    row: 'PUT /admin/hub/avatar',
    sample: () => ({ body: { initials: 'hq' } }),
    cases: [
      works('the hub is named as before', {
        body: { color: 'amber-600', imageDataUrl: null },
        check: ({ body }) => assert.equal(body, { name: 'Default', initials: 'HQ', color: 'amber-600' })
      }),
      refuses(400, EMPTY, 'nothing is sent', () => ({ body: {} })),
      ...wrongInitials('initials').slice(0, 1),
      ...wrongImages.slice(0, 1)
    ]
  },
  {
    row: 'GET /auth/hub/avatar',
    async sample(world) {
      succeeded(await world.by(world.admin).put('/admin/hub/avatar', { imageDataUrl: pngUrl }))
      return {}
    },
    cases: [
      refuses(404, NO_IMAGE, 'the hub has no image', async (world) => {
        succeeded(await world.by(world.admin).put('/admin/hub/avatar', { imageDataUrl: null }))
        return {}
      })
    ]
  }
]

/** What is refused of the initials of an account that is made or invited. */
export const newAvatarCases: readonly Case[] = wrongInitials('avatarInitials').slice(0, 1)

/** What `PUT /admin/users/:id` says of avatars. */
export const adminAvatarCases: readonly Case[] = [
  works('what stands for the account', {
    body: { avatarInitials: 'ß', avatarColor: 'cyan-600', imageDataUrl: dataUrl('image/GIF', gif) },
    check: ({ body }) => {
      holds(body, { avatarInitials: 'SS', avatarColor: 'cyan-600' })
      assert.ok(fields(body).avatarImageUrl)
    }
  }),
  ...wrongInitials('avatarInitials').slice(0, 1),
  ...wrongImages.slice(0, 1)
]
