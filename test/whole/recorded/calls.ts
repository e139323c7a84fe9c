/** Sends a call and tells its answer. */
export type Send = (call: {
  readonly method: string
  readonly path: string
  readonly token?: string
  readonly body?: unknown
}) => Promise<{ readonly status: number; readonly contentType: string | null; readonly text: string }>

type Who = 'admin' | 'kim' | 'lee' | 'nobody'

/** `METHOD /path`, who asks, and with what; `$name` stands for what an earlier call has answered as its `id`, or `secret`. */
type RecordedCall = readonly [call: string, who: Who, body?: unknown, keeps?: string]

const everything = { collectionAccess: ['*'], environmentAccess: ['*'] }
const model = { llmAccess: true, llmModels: ['*'], llmMonthlyTokenLimit: 1000 }
const request = {
  ...{ name: 'List orders', method: 'GET', url: 'https://api.example.com/orders', headers: [], params: [], body: '' },
  ...{ bodyType: 'none', comment: '', preRequestScript: '', postRequestScript: '' },
  auth: { type: 'none', basic: { username: '', password: '' }, bearer: { token: '' } }
}
const document = { name: 'Read me', content: '# Orders' }
const variables = [{ key: 'host', value: 'api.example.com', defaultValue: '', share: true }]
const comment = { body: 'Is this right? @Kim' }

/** What desktops ask a hub, of administrators and of people, from the first account to the last deletion. */
const CALLS: readonly RecordedCall[] = [
  ['GET /auth/session', 'admin'],
  ['GET /auth/session', 'nobody'],
  ['GET /auth/profile', 'admin'],
  ['POST /admin/users', 'admin', { name: 'Kim', role: 'user', ...everything, ...model }, 'kim'],
  ['POST /admin/users', 'admin', { name: 'Kim', role: 'user' }],
  ['POST /admin/users', 'admin', { name: 'Root', role: 'admin' }],
  ['POST /admin/invited-users', 'admin', { name: 'Lee', role: 'user', collectionAccess: [] }, 'lee'],
  ['GET /admin/invitations', 'admin'],
  ['POST /auth/invitations/preview', 'nobody', { secret: '$lee.secret' }],
  ['POST /auth/invitations/redeem', 'nobody', { secret: '$lee.secret', tokenName: 'Desktop' }, 'lees'],
  ['POST /auth/invitations/redeem', 'nobody', { secret: '$lee.secret' }],
  ['GET /auth/session', 'lee'],
  ['POST /admin/users/$kim/invitations', 'admin', {}, 'again'],
  ['DELETE /admin/invitations/$again', 'admin'],
  ['POST /admin/users/$kim/tokens', 'admin', { name: 'Second' }, 'second'],
  ['GET /admin/tokens', 'admin'],
  ['DELETE /admin/tokens/$second', 'admin'],
  ['GET /admin/users', 'admin'],
  ['GET /admin/users', 'kim'],
  ['PUT /admin/users/$kim', 'admin', { name: 'Kim R.', role: 'user', ...everything, ...model }],
  ['GET /auth/session', 'kim'],
  ['POST /collections', 'kim', { name: 'Payments', variables, headers: [] }, 'collection'],
  ['POST /collections', 'lee', { name: 'Refused' }],
  ['GET /collections', 'kim'],
  ['GET /collections', 'lee'],
  ['GET /collections/$collection', 'kim'],
  ['GET /collections/$collection', 'lee'],
  ['PUT /collections/$collection', 'kim', { name: 'Payments 2', variables }],
  ['POST /collections/$collection/folders', 'kim', { name: 'Orders' }, 'folder'],
  ['POST /collections/$collection/folders', 'kim', { name: 'Refunds' }, 'other'],
  ['GET /collections/$collection/folders', 'kim'],
  ['PATCH /folders/$folder', 'kim', { name: 'Orders 2' }],
  [
    'PUT /collections/$collection/folders/reorder',
    'kim',
    { parentFolderId: null, orderedFolderIds: ['$other', '$folder'] }
  ],
  ['POST /collections/$collection/requests', 'kim', request, 'request'],
  ['POST /collections/$collection/requests', 'kim', { ...request, name: 'Two', folderId: '$folder' }, 'two'],
  ['GET /collections/$collection/requests', 'kim'],
  ['GET /requests/$request', 'kim'],
  ['GET /requests/$request', 'lee'],
  ['PUT /requests/$request', 'kim', { ...request, collectionId: '$collection', name: 'List all orders' }],
  ['PUT /requests/$request', 'kim', { ...request, name: 'Without its collection' }],
  ['PUT /requests/$request/move', 'kim', { folderId: '$folder', index: 0 }],
  ['POST /collections/$collection/documents', 'kim', document, 'document'],
  ['GET /collections/$collection/documents', 'kim'],
  ['PUT /documents/$document', 'kim', { ...document, collectionId: '$collection', content: '# All orders' }],
  ['GET /collections/$collection/export?format=postman', 'kim'],
  ['POST /environments', 'kim', { name: 'Production', variables }, 'environment'],
  ['GET /environments', 'kim'],
  ['GET /environments', 'lee'],
  ['PUT /environments/$environment', 'kim', { name: 'Production', variables: [] }],
  ['GET /snippets', 'kim'],
  ['GET /live-servers', 'kim'],
  ['GET /live-pages', 'kim'],
  ['POST /requests/$request/discussions', 'kim', comment, 'comment'],
  ['POST /discussion-comments/$comment/replies', 'kim', { body: 'Yes.' }],
  ['GET /requests/$request/discussions', 'kim'],
  ['GET /discussion-threads/$comment/subscription', 'kim'],
  ['GET /notices', 'kim'],
  ['GET /notices/unread-count', 'kim'],
  ['POST /notices/read-all', 'kim'],
  ['GET /me/notification-settings', 'kim'],
  ['PUT /me/notification-settings', 'kim', { level: 'mentions' }],
  ['GET /llm/models', 'kim'],
  ['GET /llm/usage', 'kim'],
  ['GET /admin/collections', 'admin'],
  ['PUT /admin/collections/$collection', 'admin', { deletionLocked: true }],
  ['DELETE /collections/$collection', 'kim'],
  ['PUT /admin/collections/$collection', 'admin', { deletionLocked: false }],
  ['GET /admin/environments', 'admin'],
  ['GET /admin/snippets', 'admin'],
  ['GET /run-results', 'kim'],
  ['DELETE /requests/$two', 'kim'],
  ['DELETE /documents/$document', 'kim'],
  ['DELETE /folders/$other', 'kim'],
  ['DELETE /environments/$environment', 'kim'],
  ['DELETE /collections/$collection', 'kim'],
  ['GET /collections/$collection', 'kim'],
  ['GET /plugins/sources', 'kim'],
  ['GET /health', 'nobody'],
  ['DELETE /admin/users/$kim', 'admin'],
  ['GET /auth/session', 'kim'],
  ['GET /nothing', 'admin']
]

/** An answer, with ids, times and secrets as what they are. */
export interface RecordedAnswer {
  readonly call: string
  readonly status: number
  readonly contentType: string | null
  readonly text: string
}

/** Makes the calls one after another, and tells what a hub answers to each. */
export async function answersOf(send: Send, admin: string): Promise<readonly RecordedAnswer[]> {
  const known = new Map<string, string>()
  const tokens = new Map<Who, string>([['admin', admin]])
  const named = namer()
  const answers: RecordedAnswer[] = []
  for (const [call, who, body, keeps] of CALLS) {
    const filled = call.replace(/\$(\w+)/g, (_, name: string) => known.get(name) ?? name)
    const [method = '', path = ''] = filled.split(' ')
    const sent = body === undefined ? undefined : JSON.parse(withKnown(JSON.stringify(body), known))
    const token = tokens.get(who)
    const { status, contentType, text } = await send({
      ...{ method, path },
      ...(token !== undefined && { token }),
      ...(sent !== undefined && { body: sent })
    })
    const secret = /"secret":"([^"]+)"/.exec(text)?.[1] ?? ''
    const id = /"id":"([^"]+)"/.exec(text)?.[1] ?? ''
    if (keeps !== undefined) known.set(keeps, id).set(`${keeps}.secret`, secret)
    if (keeps === 'kim' || keeps === 'lees') tokens.set(keeps === 'kim' ? 'kim' : 'lee', secret)
    answers.push({ call: `${who}: ${call}`, status, contentType, text: named(text) })
  }
  return answers
}

function withKnown(text: string, known: ReadonlyMap<string, string>): string {
  return text.replace(/\$(\w+(?:\.secret)?)/g, (_, name: string) => known.get(name) ?? name)
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g
const SECRET = /hb[ki]_[\w-]+/g
/** Drawn from an id. */
const COLOUR = /"(?:avatarColor|color)":"[a-z]+-600"/g

/** Names ids by the order in which they come up, so that the same one is seen to be the same. */
function namer(): (text: string) => string {
  const ids = new Map<string, string>()
  const nameOf = (id: string) => {
    const name = ids.get(id) ?? `<id ${ids.size + 1}>`
    ids.set(id, name)
    return name
  }
  return (text) =>
    text.replace(UUID, nameOf).replace(TIME, '<time>').replace(SECRET, '<secret>').replace(COLOUR, '<colour>')
}
