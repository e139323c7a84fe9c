import type { z } from 'zod'
import { errors } from '../../../src/errors.js'
import { type Context, type Deciders, requireAdmin } from '../../context.js'
import { KINDS, kinds, type RestorableKind } from '../../records/kinds.js'
import { tableOf } from '../../snapshots.js'
import { aboutThings } from '../../talk/about.js'
import { discussedBy } from '../../talk/comment/decide.js'
import { findDiscussed } from '../../talk/comment/discussed.js'
import { emitErasure, type erasureEvents } from './events.js'

interface RecordReference {
  readonly kind: RestorableKind
  readonly id: string
}

type Data<T extends keyof typeof erasureEvents> = z.infer<(typeof erasureEvents)[T]['data']>

export type ErasureCommand =
  | {
      readonly type: 'ErasePayloads'
      readonly id: string
      readonly data: Data<'PayloadsErased'>
      /** The records that went together and are erased: none of them may be back. */
      readonly records?: readonly RecordReference[]
    }
  | { readonly type: 'EraseNames'; readonly id: string; readonly data: Data<'NamesErased'> }
  | { readonly type: 'EraseValue'; readonly id: string; readonly data: Data<'ValueErased'> }

/** Decides on erasures: for administrators, and payloads only of what is deleted, since the read tables are made of them. */
export const erasureDeciders: Deciders<ErasureCommand> = {
  async ErasePayloads({ id, data, records = [] }, { caller, read }) {
    requireAdmin(caller)
    if (await isThere(data.kind, data.id, read)) throw errors.notDeletedYet()
    for (const kind of KINDS) {
      const ids = records.filter((one) => one.kind === kind).map(({ id }) => id)
      const back = await read.getAll(kinds[kind].table, ids, { body: false })
      if (back.length > 0) throw errors.notDeletedYet()
    }
    return [emitErasure(id, 'PayloadsErased', data)]
  },
  EraseNames({ id, data }, { caller }) {
    requireAdmin(caller)
    return [emitErasure(id, 'NamesErased', data)]
  },
  EraseValue({ id, data }, { caller }) {
    requireAdmin(caller)
    return [emitErasure(id, 'ValueErased', data)]
  }
}

/** Comments, and what devices have sent each other for them, are not there where what they are about is not. */
async function isThere(kind: string, id: string, read: Context['read']): Promise<boolean> {
  const about = aboutThings[kind]
  if (about) {
    const row = await read.get(about, id)
    return row !== null && (await findDiscussed(discussedBy(row), read)) !== null
  }
  const table = tableOf(`${kind}-${id}`)
  return table !== null && (await read.get(table, id)) !== null
}
