import { createHash } from 'node:crypto'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { z } from 'zod'
import { errors } from '../errors.js'
import type { Kept } from '../throttle/kept.js'
import type { clientIds } from './clients.js'

const payloadSchema = z.looseObject({})
/** What is found by another name than its id: the codes that people type, and the sessions of browsers. */
const byName = (kind: string, name: string) => `oauth:${kind}:${createHash('sha256').update(name).digest('base64url')}`
/** How long a code counts as used: longer than any is in force. */
const USED_SECONDS = 3600

/**
 * Where the authorization server keeps what is on its way: beside the tickets, by the hash of each secret. Programs are not kept: their
 * ids say what they are.
 */
export function adapterOn(
  kept: Kept,
  clients: ReturnType<typeof clientIds>,
  usedAlready: () => Error
): (model: string) => Adapter {
  return (model) => {
    const keyOf = (id: string) => byName(model, id)
    const find = async (id: string): Promise<AdapterPayload | undefined> => {
      if (model === 'Client') return clients.metadataOf(id) ?? undefined
      const text = await kept.get(keyOf(id))
      return text === null ? undefined : payloadSchema.parse(JSON.parse(text))
    }
    const named = async (kind: string, name: string) => {
      const id = await kept.get(byName(kind, name))
      return id === null ? undefined : find(id)
    }
    const put = async (key: string, text: string, seconds: number) => {
      if (!(await kept.set(key, text, seconds))) throw errors.authorizationFull()
    }
    return {
      find,
      async upsert(id, payload, expiresIn = USED_SECONDS) {
        if (model === 'Client') return
        // One that is over at once is not kept at all.
        const seconds = Math.max(1, Math.ceil(expiresIn))
        await put(keyOf(id), JSON.stringify(payload), seconds)
        if (payload.userCode) await put(byName('userCode', payload.userCode), id, seconds)
        if (payload.uid) await put(byName('uid', payload.uid), id, seconds)
      },
      findByUserCode: (userCode) => named('userCode', userCode),
      findByUid: (uid) => named('uid', uid),
      async consume(id) {
        // Of two that come with one code together, one alone has it.
        if (!(await kept.claim(`${keyOf(id)}:used`, USED_SECONDS))) throw usedAlready()
        const payload = await find(id)
        if (payload) await put(keyOf(id), JSON.stringify({ ...payload, consumed: Math.floor(Date.now() / 1000) }), 60)
      },
      destroy: (id) => kept.delete(keyOf(id)),
      // What is of a grant is over within minutes by itself, and a code that is used gives nothing again.
      revokeByGrantId: async () => {}
    }
  }
}
