import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { LIMITS } from '../../../src/limits.js'
import { dataUrl, gif, jpegOf, pngOf, pngOfBytes } from '../../images/made.js'
import { type Case, type Endpoint, refuses, works } from '../endpoint.js'
import { exactly, ownAvatar, thisHub, user } from '../shapes.js'
import { succeeded, type World } from '../world.js'

const png = pngOf(3, 2)
const pngUrl = dataUrl('image/png', png)
const NO_IMAGE = 'Avatar image not found'
const MALFORMED = 'Avatar image must be a base64 image data URL.'
const TOO_LARGE = 'Avatar image exceeds the maximum size of 204800 bytes.'
const LETTERS = 'Avatar initials must contain letters only.'
const COUNT = 'Avatar initials must be one or two letters.'
const damaged = (format: string) => `Avatar image is damaged, cut short, or no ${format} at all.`

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
  [
    'Avatar image type "image/svg+xml" is not supported. Use JPEG, PNG, WebP, or GIF.',
    'an SVG',
    dataUrl('image/svg+xml', Buffer.from('<svg/>'))
  ],
  ['Avatar image payload is empty.', 'no bytes', 'data:image/png;base64, \n'],
  [TOO_LARGE, 'a byte too many', dataUrl('image/png', pngOfBytes(LIMITS.blob.max + 1))],
  [TOO_LARGE, 'far too many bytes', `data:image/png;base64,${'A'.repeat(LIMITS.imageUrl.max)}`],
  [damaged('WebP'), 'bytes of no image', dataUrl('image/webp', Buffer.alloc(3))],
  [damaged('JPEG'), 'an image of another type', dataUrl('image/jpeg', png)],
  [damaged('PNG'), 'an image that is cut short', dataUrl('image/png', png.subarray(0, -1))],
  [damaged('PNG'), 'an image without pixels', dataUrl('image/png', pngOf(0, 2))],
  [
    'Avatar image must be at most 4096 pixels wide and high.',
    'an image that is too wide',
    dataUrl('image/jpeg', jpegOf(4097, 2))
  ]
]

/** What is refused of initials and colours, under these names. */
const wrongFields = (initials: string, color: string): readonly (readonly [error: string | null, body: object])[] => [
  [LETTERS, { [initials]: 'K1' }],
  [LETTERS, { [initials]: '★' }],
  [COUNT, { [initials]: '' }],
  [COUNT, { [initials]: '  ' }],
  [COUNT, { [initials]: 'ABC' }],
  ['Avatar initials must be a string.', { [initials]: null }],
  [null, { [color]: 'teal-500' }],
  [null, { [color]: null }]
]

function wrong(
  names: { readonly initials: string; readonly color: string },
  sent: (world: World, body: object) => Awaited<ReturnType<Case['make']>>
): readonly Case[] {
  return [
    ...wrongFields(names.initials, names.color).map(([error, body]) =>
      refuses(400, error, `${JSON.stringify(body)} stands for nobody`, (world) => sent(world, body))
    ),
    ...WRONG_IMAGES.map(([error, when, imageDataUrl]) =>
      refuses(400, error, when, (world) => sent(world, { imageDataUrl }))
    )
  ]
}

const names = { initials: 'initials', color: 'color' }
const unknown = async (): Promise<{ params: { id: string } }> => ({ params: { id: randomUUID() } })

/** What stands for accounts and for the hub. */
export const avatarEndpoints: readonly Endpoint[] = [
  {
    row: 'PUT /auth/profile/avatar',
    access: 'any',
    success: 200,
    refusals: [400],
    sample: () => ({ body: { initials: 'kt', color: 'teal-600' } }),
    cases: [
      works('initials are kept in upper case, without blanks', async (world) => ({
        by: await world.user(),
        body: { initials: ' kt ', color: 'teal-600' },
        check: ({ body }) => assert.equal(body, { avatarInitials: 'KT', avatarColor: 'teal-600' })
      })),
      works('a letter of any script', async (world) => ({
        by: await world.user(),
        body: { initials: 'e\u0301' },
        check: ({ body }) => assert.is(exactly(ownAvatar, body).avatarInitials, 'É')
      })),
      works('an image as large as may be, with blanks in its payload, as an administrator', (world) => ({
        by: world.admin,
        body: { imageDataUrl: dataUrl('image/png', pngOfBytes(LIMITS.blob.max)).replace(/.{5000}/g, '$&\n ') },
        check: ({ body }) => assert.ok(exactly(ownAvatar, body).avatarImageUrl)
      })),
      works('null takes the image away: its address is absent then', async (world) => ({
        by: await withImage(world),
        body: { imageDataUrl: null },
        check: ({ body }) => assert.not.ok('avatarImageUrl' in exactly(ownAvatar, body))
      })),
      refuses(400, 'Send initials, color or imageDataUrl.', 'nothing is sent', () => ({ body: { name: 'Eve' } })),
      ...wrong(names, (_, body) => ({ body }))
    ]
  },
  {
    row: 'GET /auth/users/:id/avatar',
    access: 'any',
    success: 200,
    answers: 'image',
    refusals: [404],
    sample: async (world) => ({ params: { id: (await withImage(world)).id } }),
    cases: [
      works('whatever v is', async (world) => ({
        params: { id: (await withImage(world)).id },
        query: 'v=1',
        check: ({ bytes }) => assert.equal(bytes, png)
      })),
      refuses(404, NO_IMAGE, 'there is no such account', unknown),
      refuses(404, NO_IMAGE, 'the account has no image', async (world) => ({ params: { id: (await world.user()).id } }))
    ]
  },
  {
    row: 'PUT /admin/hub/avatar',
    access: 'admin',
    success: 200,
    refusals: [400, 403],
    sample: () => ({ body: { initials: 'hq' } }),
    cases: [
      works('the hub is named as before', () => ({
        body: { initials: 'hq', color: 'amber-600', imageDataUrl: null },
        check: ({ body }) =>
          assert.equal(exactly(thisHub, body), { name: 'Default', initials: 'HQ', color: 'amber-600' })
      })),
      refuses(400, 'Send initials, color or imageDataUrl.', 'nothing is sent', () => ({ body: {} })),
      ...wrong(names, (_, body) => ({ body }))
    ]
  },
  {
    row: 'GET /auth/hub/avatar',
    access: 'any',
    success: 200,
    answers: 'image',
    refusals: [404],
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

/** What is refused of the initials and the colour of an account that is made or invited. */
export const newAvatarCases: readonly Case[] = wrongFields('avatarInitials', 'avatarColor').map(([error, body]) =>
  refuses(400, error, `${JSON.stringify(body)} stands for nobody`, () => ({
    body: { name: `User ${randomUUID()}`, role: 'user', ...body }
  }))
)

/** What `PUT /admin/users/:id` says of avatars. */
export const adminAvatarCases: readonly Case[] = [
  works('what stands for the account', async (world) => ({
    params: { id: (await world.user()).id },
    body: { avatarInitials: 'ß', avatarColor: 'cyan-600', imageDataUrl: dataUrl('image/GIF', gif) },
    check: ({ body }) => {
      const { avatarInitials, avatarColor, avatarImageUrl } = exactly(user, body)
      assert.equal([avatarInitials, avatarColor], ['SS', 'cyan-600'])
      assert.ok(avatarImageUrl)
    }
  })),
  ...wrong({ initials: 'avatarInitials', color: 'avatarColor' }, (world, body) => ({
    params: { id: world.colleague.id },
    body
  }))
]
