import type { Adapter, AdapterPayload } from 'oidc-provider'
import { z } from 'zod'
import type { clientIds } from './clients.js'
import type { Store } from './store.js'

const payloadSchema = z.looseObject({ grantId: z.string().optional() })
/** How long a code counts as used: longer than any is in force. */
const USED_SECONDS = 3600

/** How long what is over is still known, so that who comes with it learns that it is. */
const OVER_SECONDS: Readonly<Record<string, number>> = { DeviceCode: 600 }

/**
 * How the authorization server keeps what is on its way. Programs are not kept: their ids say what they are. `usedAlready` makes the
 * refusal of who comes with a code that was used, of this grant.
 */
export function adapterOn(
  store: Store,
  clients: ReturnType<typeof clientIds>,
  usedAlready: (grantId: string | undefined) => Error
): (model: string) => Adapter {
  return (model) => {
    const find = async (id: string): Promise<AdapterPayload | undefined> => {
      if (model === 'Client') return clients.metadataOf(id) ?? undefined
      const text = await store.get(model, id)
      return text === null ? undefined : payloadSchema.parse(JSON.parse(text))
    }
    const named = async (kind: string, name: string) => {
      const id = await store.get(kind, name)
      return id === null ? undefined : find(id)
    }
    return {
      find,
      async upsert(id, payload, expiresIn = USED_SECONDS) {
        if (model === 'Client') return
        // One that is over at once is not kept at all.
        const seconds = Math.max(1, Math.ceil(expiresIn)) + (OVER_SECONDS[model] ?? 0)
        await store.set(model, id, JSON.stringify(payload), seconds)
        if (payload.userCode) await store.set('userCode', payload.userCode, id, seconds)
        if (payload.uid) await store.set('uid', payload.uid, id, seconds)
      },
      findByUserCode: (userCode) => named('userCode', userCode),
      findByUid: (uid) => named('uid', uid),
      async consume(id) {
        const payload = await find(id)
        // Of two that come with one code together, one alone has it.
        if (!(await store.claim('used', `${model} ${id}`, USED_SECONDS)))
          throw usedAlready(payloadSchema.parse(payload ?? {}).grantId)
        const consumed = Math.floor(Date.now() / 1000)
        if (payload) await store.set(model, id, JSON.stringify({ ...payload, consumed }), USED_SECONDS)
      },
      destroy: (id) => store.delete(model, id),
      // What is of a grant is over within minutes by itself; the token that was given for it, whoever asks the server revokes.
      revokeByGrantId: async () => {}
    }
  }
}
