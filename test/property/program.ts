import fc from 'fast-check'
import type { Command } from '../../commands/index.js'
import { HubError } from '../../src/errors.js'
import type { CommandOrigin, Ledger } from '../../src/ledger/ledger.js'
import { sha256 } from '../../src/log/chain.js'
import { content } from '../decide/made.js'
import { anAccount, anAdmin } from '../decide/people.js'
import type { Known } from './known.js'

/** Every run is the same unless it is told otherwise. */
export const SEED = Number(process.env.HUB_TEST_SEED ?? 20260301)

/** One step of a random program: what is done, through which process, and numbers that say by whom and to what. */
export interface Step {
  readonly kind: Kind
  readonly by: number
  readonly process: number
  readonly a: number
  readonly b: number
  readonly c: number
}

type Kind = keyof typeof kinds

/** A command, and what a program learns when it is acknowledged. */
interface Deed {
  readonly command: Command
  readonly is?: 'admin'
  readonly learn?: () => void
}

/** How numbers become commands. */
const kinds = {
  createUser(known: Known, { a, b }: Step): Deed {
    const id = known.fresh('user')
    const tokenId = `token-${id}`
    const collectionAccess = b % 3 === 0 ? [known.collection(a)] : ['*']
    const isAdmin = b % 5 === 0
    const name = `name ${a % 12}`
    const account = isAdmin ? anAdmin(name) : anAccount(name, { collectionAccess })
    const token = { tokenId, prefix: 'hbk_x', hash: sha256(tokenId) }
    const learn = () => {
      known.users.push(id)
      known.agents.push({ tokenId, address: null, requestId: null })
    }
    return { command: { type: 'CreateUser', id, account, token }, is: 'admin', learn }
  },
  updateUser(known: Known, { a, b, c }: Step): Deed {
    const changes = { name: `name ${b % 12}`, ...(c % 2 === 0 && { collectionAccess: [known.collection(c)] }) }
    return { command: { type: 'UpdateUser', id: known.user(a), changes }, is: 'admin' }
  },
  deleteUser(known: Known, { a }: Step): Deed {
    const id = known.user(a)
    return { command: { type: 'DeleteUser', id }, is: 'admin', learn: () => known.forget(id) }
  },
  revokeToken: (known: Known, { a }: Step): Deed => ({
    command: { type: 'RevokeToken', id: `token-${known.user(a)}` },
    is: 'admin'
  }),
  createCollection(known: Known, { a }: Step): Deed {
    const id = known.fresh('collection')
    return {
      command: { type: 'CreateCollection', id, name: `collection ${a % 5}` },
      learn: () => known.collections.push(id)
    }
  },
  lockCollection: (known: Known, { a, b }: Step): Deed => ({
    command: { type: 'LockCollection', id: known.collection(a), deletionLocked: b % 3 === 0 },
    is: 'admin'
  }),
  deleteCollection(known: Known, { a, b }: Step): Deed {
    const id = known.collection(a)
    const learn = () => known.forget(id)
    return b % 2 === 0
      ? { command: { type: 'DeleteCollection', id }, learn }
      : { command: { type: 'DeleteCollectionAsAdmin', id }, is: 'admin', learn }
  },
  createFolder(known: Known, { a, b, c }: Step): Deed {
    const id = known.fresh('folder')
    const collectionId = known.collection(a)
    const parentFolderId = known.place(collectionId, b)
    return {
      command: { type: 'CreateFolder', id, collectionId, parentFolderId, name: `folder ${c % 5}` },
      learn: () => known.folders.push({ id, collectionId })
    }
  },
  moveFolder(known: Known, { a, b, c }: Step): Deed {
    const { id, collectionId } = known.one(known.folders, a)
    const index = c % 2 === 0 ? undefined : (c >> 1) % 5
    return { command: { type: 'MoveFolder', id, parentFolderId: known.place(collectionId, b), index } }
  },
  transferFolder(known: Known, { a, b, c }: Step): Deed {
    const folder = known.one(known.folders, a)
    const [id, collectionId] = [known.fresh('folder'), known.collection(b)]
    const beside = known.folders.filter((one) => one.collectionId === folder.collectionId)
    const inner = new Map(beside.map((one) => [one.id, known.fresh('folder')]))
    const where = { collectionId, parentFolderId: known.place(collectionId, c) }
    const learn = () => {
      known.forget(folder.id)
      known.folders.push({ id, collectionId })
    }
    return { command: { type: 'TransferFolder', id, folder: { id: folder.id }, inner, ...where }, learn }
  },
  reorderFolders(known: Known, { a, b, c }: Step): Deed {
    const { collectionId } = known.one(known.folders, a)
    const parentFolderId = c % 2 === 0 ? undefined : known.place(collectionId, c)
    const orderedFolderIds = known.some(known.folders, collectionId, b)
    return { command: { type: 'ReorderFolders', collectionId, parentFolderId, orderedFolderIds } }
  },
  deleteFolder(known: Known, { a }: Step): Deed {
    const { id } = known.one(known.folders, a)
    return { command: { type: 'DeleteFolder', id }, learn: () => known.forget(id) }
  },
  createRequest(known: Known, { a, b, c }: Step): Deed {
    const id = known.fresh('request')
    const collectionId = known.collection(a)
    const where = { collectionId, folderId: known.place(collectionId, b) }
    return {
      command: { type: 'CreateRequest', id, ...where, content: content(`request ${c % 5}`) },
      learn: () => known.requests.push({ id, collectionId })
    }
  },
  updateRequest(known: Known, { a, b, c }: Step): Deed {
    const { id, ...now } = known.one(known.requests, a)
    const collectionId = c % 4 === 0 ? known.collection(c) : now.collectionId
    const where = { collectionId, folderId: known.place(collectionId, b) }
    return { command: { type: 'UpdateRequest', id, ...where, content: content(`request ${b % 5}`) } }
  },
  moveRequest(known: Known, { a, b, c }: Step): Deed {
    const { id, collectionId } = known.one(known.requests, a)
    return { command: { type: 'MoveRequest', id, folderId: known.place(collectionId, b), index: c % 6 } }
  },
  reorderRequests(known: Known, { a, b, c }: Step): Deed {
    const { collectionId } = known.one(known.requests, a)
    const orderedIds = known.some(known.requests, collectionId, b)
    return { command: { type: 'ReorderRequests', collectionId, folderId: known.place(collectionId, c), orderedIds } }
  },
  deleteRequest(known: Known, { a }: Step): Deed {
    const { id } = known.one(known.requests, a)
    return { command: { type: 'DeleteRequest', id }, learn: () => known.forget(id) }
  },
  createDocument(known: Known, { a, b, c }: Step): Deed {
    const id = known.fresh('document')
    const collectionId = known.collection(a)
    const where = { collectionId, folderId: known.place(collectionId, b) }
    const text = { name: `document ${c % 5}`, content: '', marker: null }
    return {
      command: { type: 'CreateDocument', id, ...where, content: text },
      learn: () => known.documents.push({ id, collectionId })
    }
  },
  moveDocument(known: Known, { a, b, c }: Step): Deed {
    const { id, collectionId } = known.one(known.documents, a)
    return { command: { type: 'MoveDocument', id, folderId: known.place(collectionId, b), index: c % 6 } }
  }
} as const satisfies Readonly<Record<string, (known: Known, step: Step) => Deed>>

/** The command that a step stands for, who gives it, and what to learn when it is acknowledged. */
export function deedOf(known: Known, step: Step): Deed & { readonly agent: CommandOrigin } {
  const deed: Deed = kinds[step.kind](known, step)
  return { ...deed, agent: known.agent(step.by, deed.is ?? 'user') }
}

/** Gives a command of a program; being refused is all right, and anything else is not. */
export async function perform(ledger: Ledger, { command, agent, learn }: ReturnType<typeof deedOf>): Promise<void> {
  try {
    await ledger.run(command, agent)
    learn?.()
  } catch (error) {
    if (!(error instanceof HubError)) throw error
  }
}

// Making comes up more often than taking away, or programs would be about nothing.
const weights: Readonly<Partial<Record<Kind, number>>> = {
  createCollection: 3,
  createFolder: 7,
  createRequest: 7,
  createDocument: 4,
  moveRequest: 5,
  moveFolder: 4,
  deleteUser: 1,
  deleteCollection: 1
}
const kind = fc.oneof(
  ...(Object.keys(kinds) as Kind[]).map((name) => ({ weight: weights[name] ?? 2, arbitrary: fc.constant(name) }))
)
const number = fc.nat({ max: 0xffff })
/** Any step. */
export const steps: fc.Arbitrary<Step> = fc.record({
  kind,
  by: number,
  process: number,
  a: number,
  b: number,
  c: number
})

/** Programs: groups of steps, the steps of each group being submitted at once. */
export const programs: fc.Arbitrary<readonly (readonly Step[])[]> = fc.array(
  fc.array(steps, { minLength: 1, maxLength: 12 }),
  { minLength: 4, maxLength: 24, size: 'max' }
)
