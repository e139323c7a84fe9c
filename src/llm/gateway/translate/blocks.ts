import { randomUUID } from 'node:crypto'
import { LIMITS } from '../../../limits.js'
import { tooManyParts } from '../../failure.js'
import { AnswerTooLarge } from '../../transport.js'

/** A call of a tool, or the next piece of one, as it comes in. */
export interface CallPiece {
  /** The number that its provider has for it; null for none. */
  readonly index: number | null
  readonly id: string
  readonly name: string
  readonly args: string
}

interface Block {
  /** Null for text. */
  readonly call: { readonly index: number | null; id: string; name: string; readonly args: ObjectText } | null
  /** What has come of it and is not written yet. */
  held: string
  hasBegun: boolean
}

/** The id of a call that its provider has given none: calls and their results belong together by it. */
export function newCallId(): string {
  return `call_${randomUUID().replaceAll('-', '')}`
}

/** An event of a stream of messages. */
export function frame(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
}

/**
 * Writes the blocks of a message, of pieces in whatever order: one ends before the next begins. A call is ended once its arguments are
 * whole and something else has begun; what comes of later blocks until then is held, up to the size of a whole answer.
 */
export class Blocks {
  readonly #blocks: Block[] = []
  /** The number of the block that is being written. */
  #at = 0
  #held_chars = 0

  /** Takes a piece of text; returns what is to be sent. */
  say(piece: string): readonly string[] {
    const last = this.#blocks.at(-1)
    const block = last?.call === null ? last : this.#begin(null)
    return this.#add(block, piece)
  }

  /** Takes a piece of a call; returns what is to be sent. Throws `UnreadableAnswer` for more calls than any model makes. */
  call(piece: CallPiece): readonly string[] {
    const block = this.#calledBy(piece) ?? this.#begin({ ...piece, args: new ObjectText() })
    if (!block.call) return []
    block.call.id ||= piece.id
    block.call.name ||= piece.name
    block.call.args.take(piece.args)
    return this.#add(block, piece.args)
  }

  /** True where tools are called. */
  get hasCalls(): boolean {
    return this.#blocks.some(({ call }) => call !== null)
  }

  /** What is to be sent when nothing more comes. */
  end(): readonly string[] {
    return this.#write(true)
  }

  /**
   * The block that a piece goes on with. Gemini numbers parallel calls alike, or not at all: there a new id is what begins a new call,
   * and without ids a name does behind arguments that are whole.
   */
  #calledBy({ index, id, name, args }: CallPiece): Block | null {
    const known = this.#blocks.findLast(({ call }) => call && (index === null || call.index === index))
    if (!known?.call) return null
    if (id !== '') return known.call.id === '' || known.call.id === id ? known : null
    return name !== '' && args !== '' && known.call.args.isWhole ? null : known
  }

  #begin(call: Block['call']): Block {
    if (this.#blocks.length === LIMITS.answerParts.max) throw tooManyParts()
    const block = { call, held: '', hasBegun: false }
    this.#blocks.push(block)
    return block
  }

  #add(block: Block, piece: string): readonly string[] {
    block.held += piece
    this.#held_chars += piece.length
    const out = this.#write(false)
    if (this.#held_chars > LIMITS.answerBody.max) throw new AnswerTooLarge()
    return out
  }

  #write(isOver: boolean): readonly string[] {
    const out: string[] = []
    for (let block = this.#blocks[this.#at]; block; block = this.#blocks[this.#at]) {
      // It begins with its name.
      if (block.call?.name === '' && !isOver) return out
      if (!block.hasBegun) out.push(frame('content_block_start', { index: this.#at, content_block: opened(block) }))
      block.hasBegun = true
      if (block.held !== '') out.push(frame('content_block_delta', { index: this.#at, delta: delta(block) }))
      this.#held_chars -= block.held.length
      block.held = ''
      const isLast = this.#at === this.#blocks.length - 1
      if (!isOver && (isLast || block.call?.args.isWhole === false)) return out
      out.push(frame('content_block_stop', { index: this.#at++ }))
    }
    return out
  }
}

function opened({ call }: Block): object {
  if (!call) return { type: 'text', text: '' }
  return { type: 'tool_use', id: call.id || newCallId(), name: call.name, input: {} }
}

function delta({ call, held }: Block): object {
  return call ? { type: 'input_json_delta', partial_json: held } : { type: 'text_delta', text: held }
}

/** Follows an object of JSON as it comes in. */
class ObjectText {
  /** True once its last bracket has come. */
  isWhole = false
  #depth = 0
  #isInText = false
  #isEscaped = false

  take(piece: string): void {
    for (const sign of piece) {
      if (this.#isEscaped) this.#isEscaped = false
      else if (this.#isInText) {
        this.#isEscaped = sign === '\\'
        if (sign === '"') this.#isInText = false
      } else this.#outside(sign)
    }
  }

  #outside(sign: string): void {
    if (sign === '"') this.#isInText = true
    if (sign === '{' || sign === '[') this.#depth++
    if ((sign === '}' || sign === ']') && --this.#depth === 0) this.isWhole = true
  }
}
