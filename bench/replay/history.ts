import { emitFolder } from '../../commands/records/folder/events.js'
import { emitRequest } from '../../commands/records/request/events.js'
import type { RequestContent } from '../../commands/records/request/fields.js'
import type { Head, NewEvent } from '../../src/log/event.js'
import { collection, content } from '../../test/decide/made.js'
import type { Appended } from '../../test/support/append.js'
import { batches } from '../support/batches.js'

const COLLECTIONS = 200
const FOLDER_EVERY = 200
const FOLDER_LIFE = 1100

/**
 * Batches of events as a hub of some years would have them, up to so many: of ten, three make a request, five change one,
 * one moves one and one deletes one; of two hundred, one makes a folder and one deletes one. The same every time but for
 * salts.
 */
export function history(count: number, head: Head): Generator<Appended> {
  return batches(happenings(count), head)
}

function* happenings(count: number): Generator<NewEvent> {
  for (let i = 0; i < COLLECTIONS; i++) yield collection(`c${i}`, `Collection ${i}`)
  const alive: number[] = []
  let seed = 1
  // A generator of Lehmer's: every run is the same.
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  for (let i = COLLECTIONS; i < count; i++) {
    const folder = folderEvent(i)
    if (folder) {
      yield folder
      continue
    }
    const kind = random(10)
    const at = random(Math.max(1, alive.length))
    const one = alive[at]
    const place = (id: number) => ({
      collectionId: `c${id % COLLECTIONS}`,
      folderId: null,
      sortOrder: 1024 * (1 + (i % 500))
    })
    if (one === undefined || kind < 3) {
      alive.push(i)
      yield emitRequest(`r${i}`, 'RequestCreated', { ...place(i), content: contentOf(i) })
    } else if (kind < 8) {
      yield emitRequest(`r${one}`, 'RequestUpdated', { ...place(one), content: contentOf(i) })
    } else if (kind < 9) {
      yield emitRequest(`r${one}`, 'RequestMoved', place(one))
    } else {
      alive[at] = alive.at(-1) ?? one
      alive.pop()
      yield emitRequest(`r${one}`, 'RequestDeleted', { name: `Request ${one}`, collectionId: `c${one % COLLECTIONS}` })
    }
  }
}

/** A folder is made now and then, and deleted eleven hundred events later. */
function folderEvent(i: number): NewEvent | null {
  const collectionOf = (id: number) => `c${id % COLLECTIONS}`
  const at = i % FOLDER_EVERY
  if (at === 0) {
    const place = { collectionId: collectionOf(i), parentFolderId: null, sortOrder: 1024 }
    return emitFolder(`f${i}`, 'FolderCreated', { ...place, name: `Folder ${i}`, marker: null })
  }
  const made = i - FOLDER_LIFE
  if (at !== FOLDER_LIFE % FOLDER_EVERY || made <= COLLECTIONS) return null
  const held = { folders: [], requests: [], documents: [] }
  return emitFolder(`f${made}`, 'FolderDeleted', { name: `Folder ${made}`, collectionId: collectionOf(made), ...held })
}

function contentOf(i: number): RequestContent {
  return content(`Request ${i}`, {
    ...{ method: 'POST', url: `{{host}}/orders/${i}`, bodyType: 'json' },
    headers: [{ key: 'Accept', value: 'application/json', enabled: true }],
    params: [{ key: 'page', value: String(i), enabled: true }],
    body: `{"order":${i},"note":"as the customer wrote it"}`
  })
}
