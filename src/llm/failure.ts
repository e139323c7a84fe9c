import type { Anthropic } from '@anthropic-ai/sdk'
import type { OpenAI } from 'openai'
import { z } from 'zod'
import { LIMITS } from '../limits.js'
import { ProviderFailure } from './provider.js'
import { isTimeoutError } from './signals.js'
import { isBuiltIn } from './targets.js'
import { AnswerTooLarge, secondsUntil } from './transport.js'
import { NO_USAGE, type UsageReport } from './usage.js'

/** Who is called, with what: for the texts of errors. */
export interface Upstream {
  readonly provider: string
  /** What people know it as. */
  readonly label: string
  /** Empty for none. */
  readonly apiKey: string
  readonly model: string
}

type ErrorNames = 'APIError' | 'APIConnectionError' | 'APIConnectionTimeoutError'
/** The error classes that both SDKs have, each its own. */
export type SdkErrors = Pick<typeof OpenAI, ErrorNames> | Pick<typeof Anthropic, ErrorNames>

/** A provider's answer that is no answer; the text completes "<provider> ...". */
export class UnreadableAnswer extends Error {}

/** Reads data from what a provider sent; it throws `UnreadableAnswer` where that is not what it should be, `what`. */
export function reading(what: string) {
  return <S extends z.ZodType>(schema: S, data: unknown): z.infer<S> => {
    const parsed = schema.safeParse(data)
    if (parsed.success) return parsed.data
    throw notA(what)
  }
}

/** The refusal of something else than was asked for. */
export function notA(what: string): UnreadableAnswer {
  return new UnreadableAnswer(`sent something that is not a ${what}. An administrator has to check its address.`)
}

/** The refusal of an answer with more calls of tools, or blocks, than any model has a use for. */
export function tooManyParts(): UnreadableAnswer {
  return new UnreadableAnswer(`sent an answer with more than ${LIMITS.answerParts.max} parts, or calls of tools.`)
}

/** Where the configuration speaks of a provider. */
function placeOf({ provider }: Upstream): string {
  return isBuiltIn(provider) ? `llm.providers.${provider}` : `the endpoint ${provider} in llm.endpoints`
}

type Verdict = readonly [status: 502 | 503 | 504, sentence: string]

const MAX_REASON_CHARS = 300
const SHORTEST_TELLTALE = 6
// What is looked through for what must not be shown: more than is shown, and not so much that it takes long.
const MAX_READ_CHARS = 4000
const MAX_LEVELS = 4
const LATER = 'Try again in a moment.'
const ADMINISTRATOR = 'An administrator has to check'
/** What seems to speak of how the hub authenticates. */
const TELLING = /bearer|authorization|x-api-key/i

/** What the error of an SDK, or of reading a reply, means to the person who asked. */
export function failureOf(error: unknown, errors: SdkErrors, upstream: Upstream, usage: UsageReport): ProviderFailure {
  const [status, sentence] = verdict(error, errors, upstream)
  return new ProviderFailure(status, `${upstream.label} ${sentence}`, usage, unansweredBy(error, errors))
}

/** How an SDK's call failed before anything of an answer came; null where that had begun. */
function unansweredBy(error: unknown, errors: SdkErrors): ProviderFailure['unanswered'] {
  if (error instanceof errors.APIConnectionError) return { status: null }
  return error instanceof errors.APIError && error.status !== undefined ? { status: error.status } : null
}

/** What a reply with an error status means to the person who asked. It costs nothing. */
export function failureOfReply(status: number, body: unknown, headers: Headers, upstream: Upstream): ProviderFailure {
  const [own, sentence] = refused(status, reasonOf(body), headers, upstream)
  return new ProviderFailure(own, `${upstream.label} ${sentence}`, NO_USAGE)
}

/** What it means that a provider could not be asked, or that its answer broke off. */
export function failureOfFetch(error: unknown, upstream: Upstream, usage: UsageReport): ProviderFailure {
  const [status, sentence] = withoutReply(error, upstream)
  return new ProviderFailure(status, `${upstream.label} ${sentence}`, usage)
}

/** What a provider says in a refusal, as it may be shown. */
export function saidIn(text: string, upstream: Upstream): string {
  const because = sentenceOf(reasonOf(JSON.parse(text)), upstream)
  return `${upstream.label} rejected the request${because}.`
}

/** True where a text of a provider holds no piece of the hub's key, and nothing of how it authenticates. */
export function maySee(text: string, { apiKey }: Upstream): boolean {
  return !TELLING.test(text) && !text.split(' ').some(namesAccount) && !holdsPieceOf(apiKey, text)
}

/** True for an address that may say who asks. Not by one expression, which would look through a long word again for each address in it. */
function namesAccount(word: string): boolean {
  const start = word.search(/https?:\/\//i)
  return start >= 0 && word.includes('@', start)
}

function withoutReply(error: unknown, upstream: Upstream): Verdict {
  if (isTimeoutError(error)) return timedOut
  if (error instanceof UnreadableAnswer) return [502, error.message]
  if (error instanceof AnswerTooLarge) return [502, 'sent an answer that is too large.']
  // Undici's word for a connection that ended within the body.
  const isCut = error instanceof TypeError && error.message === 'terminated'
  if (isCut) return [502, `closed the connection before its answer was complete. ${LATER}`]
  return error instanceof TypeError
    ? notReached(error)
    : [502, `could not be asked. ${ADMINISTRATOR} ${placeOf(upstream)}.`]
}

function notReached(error: unknown): Verdict {
  const code = codeOf(error)
  return [502, `could not be reached${code && ` (${code})`}. ${LATER}`]
}

function verdict(error: unknown, errors: SdkErrors, upstream: Upstream): Verdict {
  if (error instanceof errors.APIConnectionTimeoutError) return timedOut
  if (error instanceof errors.APIConnectionError) return notReached(error)
  if (error instanceof errors.APIError) {
    const reason = reasonOf(error.error)
    return error.status === undefined
      ? brokenOff(reason, upstream)
      : refused(error.status, reason, error.headers ?? new Headers(), upstream)
  }
  if (error instanceof SyntaxError) return [502, 'sent an answer that is not valid JSON.']
  return withoutReply(error, upstream)
}

const timedOut: Verdict = [504, 'did not answer in time. Try again, or with a shorter conversation.']

/** A reply with an error status. */
function refused(status: number, reason: Reason, headers: Headers, upstream: Upstream): Verdict {
  const [place, isOwn] = [placeOf(upstream), isBuiltIn(upstream.provider)]
  const key = isOwn ? `${place}.apiKey` : `the keys of ${place}`
  const address = isOwn ? `${place}.baseUrl` : `the baseUrl of ${place}`
  const because = sentenceOf(reason, upstream)
  // Gemini answers 400 to a wrong key.
  if (status === 401 || (status === 400 && /api[ _]key/i.test(reason.message))) {
    return [502, `rejected the hub's API key. ${ADMINISTRATOR} ${key}.`]
  }
  if (status === 402 || /insufficient_quota|billing/.test(reason.words)) {
    return [503, `has no credit left for the hub. ${ADMINISTRATOR} the account of ${key}.`]
  }
  if (status === 403) return [502, `denied the hub access${because}. ${ADMINISTRATOR} the rights of ${key}.`]
  if (status === 404) return [502, `does not know the model "${upstream.model}" at the configured address${because}.`]
  if (status === 408 || status === 504) return timedOut
  if (status === 413) return [502, 'found the conversation too large. Start a new one, or send less.']
  if (status === 429) return [503, `is limiting the hub's requests. ${whenToTryAgain(headers)}`]
  if (status >= 500) return [503, `has trouble answering (status ${status}). ${LATER}`]
  if (status >= 300 && status < 400) return [502, `answered with a redirect. ${ADMINISTRATOR} ${address}.`]
  return [502, `rejected the request${because === '' ? ` (status ${status})` : because}.`]
}

/** An error that came inside of a stream, behind a good status. */
function brokenOff(reason: Reason, upstream: Upstream): Verdict {
  if (/overloaded|unavailable|server_error|api_error/.test(reason.words))
    return [503, `has trouble answering. ${LATER}`]
  if (/rate_limit/.test(reason.words)) return [503, `is limiting the hub's requests. ${LATER}`]
  return [502, `broke off its answer${sentenceOf(reason, upstream)}.`]
}

function whenToTryAgain(headers: Headers): string {
  const seconds = Math.ceil(secondsUntil(headers.get('retry-after')) ?? 0)
  return seconds > 1 ? `Try again in ${seconds} seconds.` : LATER
}

/** The system's code for why a connection failed, from the innermost error that has one. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const inner = error instanceof AggregateError ? codeOf(error.errors[0]) : codeOf(error.cause)
  if (inner !== '') return inner
  return 'code' in error && typeof error.code === 'string' && /^[A-Z0-9_]{1,40}$/.test(error.code) ? error.code : ''
}

const providerError = z.object({
  message: z.string().catch(''),
  type: z.string().nullish().catch(null),
  code: z.unknown().optional(),
  // Anthropic's is one level down.
  error: z.unknown().optional()
})

/** What a provider says about an error of its own: a sentence for people, and words to tell errors apart by. */
interface Reason {
  readonly message: string
  readonly words: string
}

/** Reads the error object of a reply, in any of the shapes that the providers use. */
function reasonOf(error: unknown, levels = MAX_LEVELS): Reason {
  const parsed = providerError.safeParse(error)
  if (!parsed.success) return { message: '', words: '' }
  const { message, type, code, error: inner } = parsed.data
  if (message === '' && inner !== undefined && inner !== null && levels > 1) return reasonOf(inner, levels - 1)
  return { message: message.slice(0, MAX_READ_CHARS), words: `${type ?? ''} ${typeof code === 'string' ? code : ''}` }
}

/**
 * The sentence as it may be shown behind another: one line, cut short, and nothing at all where it holds a piece of the key or seems
 * to speak of how the hub authenticates.
 */
function sentenceOf({ message }: Reason, upstream: Upstream): string {
  const line = message.replace(/[\s\p{C}]+/gu, ' ').trim()
  const shown = line.length > MAX_REASON_CHARS ? `${line.slice(0, MAX_REASON_CHARS - 3)}...` : line
  const sentence = shown.replace(/[.\s]+$/, '')
  return sentence === '' || !maySee(line, upstream) ? '' : `: ${sentence}`
}

function holdsPieceOf(apiKey: string, line: string): boolean {
  if (apiKey === '') return false
  const length = Math.min(SHORTEST_TELLTALE, apiKey.length)
  for (let start = 0; start + length <= apiKey.length; start += 1) {
    if (line.includes(apiKey.slice(start, start + length))) return true
  }
  return false
}
