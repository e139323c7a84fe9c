import type { CatalogModel } from '../../config/types.js'
import { errors } from '../../errors.js'
import { timeout } from '../../lib/timeout.js'
import { giveWay } from '../../lib/turns.js'
import { LIMITS } from '../../limits.js'
import { saidIn } from '../failure.js'
import { CallAborted } from '../provider.js'
import type { ChatClient } from '../reservation.js'
import { EVENT_STREAM } from '../responseGuard.js'
import type { Llm } from '../service.js'
import type { Target, Wire } from '../targets.js'
import { passed, plain, translated, whole } from './answer.js'
import { ask, askWhole, type Refused, type Sent } from './ask.js'
import { Attempts } from './attempts.js'
import { type Body, type Images, imagesIn, reachesOthers } from './bound.js'
import { Counting } from './counting.js'
import { boundAs, type Endpoint } from './endpoint.js'
import type { KeyRing } from './keyRing.js'
import { admit } from './settling.js'
import type { Translation } from './translate/translation.js'

/** A call of a model by another program. */
export interface ModelCall {
  readonly endpoint: Endpoint
  readonly body: Body
  readonly headers: Readonly<Record<string, string>>
  /** What the program calls itself; null where it does not. */
  readonly tool: string | null
  /** How a provider is asked that has another interface; null where that cannot be. */
  readonly translation: (wire: Wire) => Translation | null
}

/** Who is asked, and what counts it. */
export interface Asked {
  readonly llm: Pick<Llm, 'counted' | 'keys' | 'price'>
  readonly model: CatalogModel
  /** Who has the model, and behind it those that stand in for it: each speaks the interface, or is asked in its own. */
  readonly targets: readonly [Target, ...Target[]]
}

/** What a call comes to: an answer, or a refusal in the provider's own words; or a stream of what the provider sends, piece by piece. */
export type ModelAnswer =
  | { readonly kind: 'whole'; readonly status: number; readonly bytes: Buffer }
  | { readonly kind: 'stream'; readonly contentType: string; readonly parts: () => AsyncGenerator<Buffer> }

/**
 * Makes a call for a client and settles what it has used, however it ends. A client with a limit is let through where the most that
 * the call can use is left, and that is reserved until it is settled: 402 where it is not, 429 while others hold it.
 */
export async function callModel(client: ChatClient, asked: Asked, call: ModelCall): Promise<ModelAnswer> {
  const images = await requireFit(call)
  // What cannot be asked reserves nothing.
  await sentFor(call, call.body, asked.targets[0])
  const { body, most, settle } = await admit(client, asked, call, images)
  const signal = endOf(client)
  const attempts = new Attempts()
  const isStreamed = body.stream === true
  const counting = new Counting({ attempts, most, isStreamed })
  try {
    const begun = await ask((target) => sentFor(call, body, target), asked.targets, asked.llm.keys, signal, attempts)
    const translation = translationFor(call, begun.target)
    if (!('body' in begun)) {
      await settle('failed', counting.partial(), begun)
      return refused(begun, translation)
    }
    const way = { call, signal, settle, counting }
    if (!isStreamed && translation) return { kind: 'whole', status: 200, bytes: await whole(begun, way, translation) }
    if (!isStreamed) return { kind: 'stream', contentType: 'application/json', parts: () => plain(begun, way) }
    const parts = () => (translation ? translated(begun, way, translation) : passed(begun, way))
    return { kind: 'stream', contentType: `${EVENT_STREAM}; charset=utf-8`, parts }
  } catch (error) {
    await settle(error instanceof CallAborted ? 'cancelled' : 'failed', counting.partial(), attempts.last)
    throw error
  }
}

/** Has a provider count the tokens of a call, which costs nothing, as long as any call may take. */
export async function countedTokens(client: Pick<ChatClient, 'left'>, keys: KeyRing, target: Target, call: ModelCall) {
  await requireFit(call)
  return askWhole(await sentFor(call, call.body, target), target, keys, endOf(client))
}

/**
 * Refuses what the provider keeps of others, too many images, and bounds on what a model writes that are no numbers. Returns the images,
 * which are looked for once: that takes a while in a large call.
 */
async function requireFit({ body, endpoint }: ModelCall): Promise<Images> {
  const refusal = reachesOthers(body)
  if (refusal !== null) throw errors.modelCallRefused(refusal)
  await giveWay()
  const { max } = LIMITS.modelCallImages
  const images = imagesIn(body)
  if (images.length > max) throw errors.modelCallRefused(`Send up to ${max} images in a call.`)
  endpoint.outputBound(body)
  await giveWay()
  return images
}

/** When a call ends at the latest: as its client leaves, or has waited too long. */
function endOf({ left }: Pick<ChatClient, 'left'>): AbortSignal {
  return AbortSignal.any([left, timeout(LIMITS.modelCall.max)])
}

function translationFor({ endpoint, translation }: ModelCall, { wire }: Target): Translation | null {
  return wire === endpoint.wire ? null : translation(wire)
}

/** The call as this provider is asked; 400 for what its interface has no word for. */
async function sentFor(call: ModelCall, asked: Body, target: Target): Promise<Sent> {
  const translation = translationFor(call, target)
  const { path, sent } = translation?.endpoint ?? call.endpoint
  const body = sent((await translation?.body(asked)) ?? asked)
  const named = { ...boundAs(target.outputField, body), model: target.model }
  return { path, headers: translation ? {} : call.headers, body: named }
}

/** What the provider refuses of a call its sender reads in its own words, as far as those are of the interface that was asked. */
function refused({ status, text, upstream }: Refused, translation: Translation | null): ModelAnswer {
  if (translation) throw errors.modelCallRefused(saidIn(text, upstream))
  return { kind: 'whole', status, bytes: Buffer.from(text) }
}
