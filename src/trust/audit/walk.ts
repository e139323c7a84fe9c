import { codec } from '../../../commands/index.js'
import { chainEvents } from '../../../commands/log/chain/events.js'
import { projectionEvents } from '../../../commands/log/projections/events.js'
import {
  CHAIN_SEALED,
  GENESIS,
  isIntact,
  isSealedBy,
  type Keyring,
  PLAIN,
  type Sealing,
  sealingOf
} from '../../log/chain.js'
import type { Head, StoredEvent } from '../../log/event.js'
import { GENERATION_SWITCHED } from '../../readmodel/readModel.js'
import { UntoldErasures } from './erased.js'

const FIRST_GENERATION = 1

/** The key in force behind some event, by its id, and the first position that is sealed with it. */
export interface Sealed {
  readonly keyId: string
  readonly from: number
}

/** A place in a log behind which a walk can begin: where everything up to there is known to hold. */
export interface WalkStart {
  readonly head: Head
  readonly sealed: Sealed | null
}

/** How a walk goes. */
export interface WalkManner {
  /** Behind which place it begins; behind nothing by default. */
  readonly start?: WalkStart | undefined
  /** True where links are passed over that are sealed with a key which is not at hand; texts are checked all the same. */
  readonly passesUnknownKeys?: boolean
}

/** A walk along a log: what the next event has to be, and what the head must say after the last. */
export class ChainWalk {
  readonly #keys: Keyring
  readonly #passesUnknownKeys: boolean
  readonly #erasures = new UntoldErasures()
  #head: Head = { position: 0, chain: GENESIS, at: new Date(0).toISOString(), generation: FIRST_GENERATION }
  /** What was announced last; where its key is not at hand, only its id. */
  #keyId: string | null = null
  #sealing: Sealing | undefined = PLAIN
  #sealedFrom: number | null = null

  constructor(keys: Keyring, { start, passesUnknownKeys = false }: WalkManner = {}) {
    this.#keys = keys
    this.#passesUnknownKeys = passesUnknownKeys
    if (!start) return
    this.#head = start.head
    if (start.sealed) this.#sealWith(start.sealed.keyId, start.sealed.from)
  }

  /** Where the walk has come to; what it says of the head is what the head has to say after it. */
  get head(): Head {
    return this.#head
  }

  /** How the next event has to be linked; undefined where the key is not at hand. */
  get sealing(): Sealing | undefined {
    return this.#sealing
  }

  /** The id of the key in force after the last event, and the first position that is sealed with it; null where there is none. */
  get sealed(): Sealed | null {
    return this.#keyId === null || this.#sealedFrom === null ? null : { keyId: this.#keyId, from: this.#sealedFrom }
  }

  /** The first position of which something is gone that no event tells; null where there is none. */
  get untold(): number | null {
    return this.#erasures.first
  }

  /** Takes in the next event. Returns why it cannot be the next one, and then stays where it was. */
  take(event: StoredEvent): string | null {
    const reason = this.#fault(event)
    if (reason !== null) return reason
    try {
      this.#erasures.see(event)
      const { position, chain, at } = event
      const generation = event.type === GENERATION_SWITCHED ? generationIn(event) : this.#head.generation
      this.#head = { position, chain, at, generation }
      if (event.type === CHAIN_SEALED) this.#sealWith(keyIn(event), position + 1)
      return null
    } catch {
      return 'What the event holds cannot be read by this version of the hub.'
    }
  }

  /** Why the head cannot be the one after the last event; null where it is. */
  faultOf(head: Head): string | null {
    const { position, chain, at, generation } = this.#head
    if (chain !== head.chain)
      return `The log's end is recorded with another chain than the one that event ${position} has.`
    if (at !== head.at) return `The log's end is recorded with another time than the one that event ${position} has.`
    if (generation !== head.generation)
      return `Generation ${head.generation} of the read tables is live, and the log says that it is ${generation}. Run hub projections rebuild.`
    if (!this.#sealing) return unknownKey(this.#keyId)
    if (!isSealedBy(this.#sealing, head))
      return this.#keyId === null
        ? 'The head is sealed with a key, and no event of the log says so.'
        : 'The head is not sealed with the key: the events after it are gone, or it was moved.'
    return null
  }

  #fault(event: StoredEvent): string | null {
    if (event.position !== this.#head.position + 1) return 'The event is missing: removed, or under another position.'
    if (!this.#sealing && !this.#passesUnknownKeys) return unknownKey(this.#keyId)
    if (this.#sealing && this.#sealing.link(this.#head.chain, event) !== event.chain)
      return this.#keyId === null
        ? 'The event does not continue the chain: it was edited, exchanged or inserted.'
        : `The event does not continue the chain: it was edited, exchanged or inserted without the key ${this.#keyId}.`
    if (!isIntact(event.payload)) return 'The payload is not the one that was sealed.'
    // Nothing is ever left of a name.
    const hasOtherName = event.who.salt === null && event.who.text !== null
    if (hasOtherName || !isIntact(event.who)) return 'The name or address is not the one that was sealed.'
    return null
  }

  #sealWith(keyId: string | null, from: number): void {
    this.#keyId = keyId
    this.#sealing = sealingOf(this.#keys, keyId)
    this.#sealedFrom = keyId === null ? null : from
  }
}

/** The generation that a switch makes live. Throws where the event cannot be read. */
function generationIn({ type, schema, payload }: StoredEvent): number {
  return projectionEvents.ProjectionsSwitched.data.parse(codec.decode(type, schema, payload.text ?? '')).to
}

/** The id of the key that an event announces. Throws where it cannot be read. */
function keyIn({ type, schema, payload }: StoredEvent): string | null {
  return chainEvents.ChainSealed.data.parse(codec.decode(type, schema, payload.text ?? '')).keyId
}

/** Where a walk begins behind an event, with the newest switch and announcement up to it. Throws where these cannot be read. */
export function startBehind(last: StoredEvent, turns: readonly StoredEvent[]): WalkStart {
  const { position, chain, at } = last
  const switched = turns.find(({ type }) => type === GENERATION_SWITCHED)
  const announced = turns.find(({ type }) => type === CHAIN_SEALED)
  const keyId = announced ? keyIn(announced) : null
  return {
    head: { position, chain, at, generation: switched ? generationIn(switched) : FIRST_GENERATION },
    sealed: announced && keyId !== null ? { keyId, from: announced.position + 1 } : null
  }
}

function unknownKey(keyId: string | null): string {
  return `From here on the chain is sealed with the key ${keyId}, whose file the configuration does not name.`
}
