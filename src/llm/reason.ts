import { z } from 'zod'

const MAX_REASON_CHARS = 300
const SHORTEST_TELLTALE = 6
// What is looked through for what must not be shown: more than is shown, and not so much that it takes long.
const MAX_READ_CHARS = 4000
const MAX_LEVELS = 4

const told = z.object({
  message: z.string().catch(''),
  type: z.string().nullish().catch(null),
  code: z.unknown().optional(),
  // Anthropic's is one level down.
  error: z.unknown().optional()
})

/** What a provider says about an error of its own: a sentence for people, and words to tell errors apart by. */
export interface Reason {
  readonly message: string
  readonly words: string
}

/** Reads the error object of a reply, in any of the shapes that the providers use. */
export function reasonOf(error: unknown, levels = MAX_LEVELS): Reason {
  const parsed = told.safeParse(error)
  if (!parsed.success) return { message: '', words: '' }
  const { message, type, code, error: inner } = parsed.data
  if (message === '' && inner !== undefined && inner !== null && levels > 1) return reasonOf(inner, levels - 1)
  return { message: message.slice(0, MAX_READ_CHARS), words: `${type ?? ''} ${typeof code === 'string' ? code : ''}` }
}

/**
 * The sentence as it may be shown: one line, cut short, and nothing at all where it holds a piece of the key or seems to
 * speak of how the hub authenticates.
 */
export function safeReason({ message }: Reason, apiKey: string): string {
  const line = message.replace(/[\s\p{C}]+/gu, ' ').trim()
  if (line === '' || /bearer|authorization|x-api-key|https?:\/\/[^ ]*@/i.test(line) || holdsPieceOf(apiKey, line))
    return ''
  return line.length > MAX_REASON_CHARS ? `${line.slice(0, MAX_REASON_CHARS - 3)}...` : line
}

function holdsPieceOf(apiKey: string, line: string): boolean {
  const length = Math.min(SHORTEST_TELLTALE, apiKey.length)
  for (let start = 0; start + length <= apiKey.length; start += 1) {
    if (line.includes(apiKey.slice(start, start + length))) return true
  }
  return false
}
