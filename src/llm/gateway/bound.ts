import { LEAST_OUTPUT } from '../reservation.js'

/** More than any model counts for one image: gpt-4o-mini has 2833 for it and 5667 for each of at most 8 tiles. */
const IMAGE_TOKENS = 50_000
/** The same of Anthropic's own models. */
const CLAUDE_IMAGE_TOKENS = 5000
/** More than Anthropic tells a model of tools where there are any: 530 tokens at most. */
const TOOLS_TOKENS = 1000
/** More than a provider tells a model of one of its own tools that whoever asks runs: some 1200 tokens of that for a computer. */
const OWN_TOOL_TOKENS = 2000
/** How an image is written into a call. */
const DATA_URL = /^data:image\/[a-z+.-]+;base64,/
const BASE64 = /^[A-Za-z0-9+/=_\s-]*$/

/** The body of a call. */
export interface Body {
  readonly [name: string]: unknown
}

/**
 * The most tokens that a model can count for what is sent: no token is shorter than a byte, and an image is so many at most, wherever
 * it comes from. What stands where no model reads an image, or is no base64, is text. Of tools its provider tells a model more than is
 * sent. `isForClaude` where no other model may answer; `images` are those of the body, where they were looked for already.
 */
export function mostInput(body: Body, isForClaude = false, images = imagesIn(body)): number {
  const each = isForClaude ? CLAUDE_IMAGE_TOKENS : IMAGE_TOKENS
  const image_chars = images.reduce((sum, one) => sum + writtenInto(one), 0)
  return Buffer.byteLength(JSON.stringify(body)) - image_chars + images.length * each + besides(body)
}

/** What a provider tells a model of tools that nobody has sent. */
function besides({ tools }: Body): number {
  const types = typesOf(tools)
  const own = types.filter((type) => type !== undefined && type !== 'function' && type !== 'custom')
  return Math.min(1, types.length) * TOOLS_TOKENS + own.length * OWN_TOOL_TOKENS
}

/** The types of tools; undefined for one that has none. */
function typesOf(tools: unknown): readonly unknown[] {
  return Array.isArray(tools) ? tools.map((one: unknown) => (isObject(one) ? one.type : undefined)) : []
}

/** Images of a call, as they are sent. */
export type Images = readonly Fields[]

/** The images that are sent, wherever a model reads one. */
export function imagesIn(body: Body): Images {
  const images: Fields[] = []
  walk(body, (value) => {
    if (isObject(value) && isImage(value)) images.push(value)
  })
  return images
}

/** True for a part of a message that is an image, in one of the interfaces. */
function isImage({ type }: Fields): boolean {
  return type === 'image_url' || type === 'input_image' || type === 'image'
}

/** How many characters of an image are its bytes in base64; none where a model is told where it is. */
function writtenInto({ image_url: told, source }: Fields): number {
  const url = isObject(told) ? told.url : told
  if (typeof url === 'string') return DATA_URL.test(url) && isBase64(url.replace(DATA_URL, '')) ? url.length : 0
  if (!isObject(source) || source.type !== 'base64' || typeof source.data !== 'string') return 0
  return isBase64(source.data) ? source.data.length : 0
}

const isBase64 = (text: string) => BASE64.test(text)

/** Names by which a call goes on with, or holds, what the provider keeps for the hub's account, whoever it was of. */
const KEPT_BY_PROVIDER = new Set([
  ...['previous_response_id', 'conversation', 'file_id', 'container', 'vector_store_ids'],
  ...['skill_id', 'tunnel_id']
])
/** The same of a call as a whole: what is asked, and not how. */
const KEPT_AT_TOP = new Set(['background', 'prompt', 'thread'])
/** Names by which a reseller is asked for another model than the one that is named, or elsewhere. */
const ELSEWHERE = new Set(['models', 'fallbacks', 'route', 'api_base', 'base_url'])

/** Why a call is refused that would reach what the provider keeps of others, or another model than it names; null where it does not. */
export function reachesOthers(body: Body): string | null {
  let found: string | null = null
  walk(body, (value, name, depth) => {
    const isAtTop = depth === 1
    if (value === null || value === false) return
    if (isAtTop && ELSEWHERE.has(name)) found ??= `${name} is not supported: a call is for the one model that it names.`
    const isKept = KEPT_BY_PROVIDER.has(name) || (isAtTop && KEPT_AT_TOP.has(name))
    const kept = isKept ? name : referenceIn(value, name, isAtTop)
    if (kept !== null)
      found ??= `${kept} is not supported: what the provider keeps is the hub's, and not that of one account. Send the whole conversation.`
  })
  return found
}

/** What names something that the provider has said before: an item of `input` that is an id alone, an `audio` by its id; else null. */
function referenceIn(value: unknown, name: string, isAtTop: boolean): string | null {
  if (name === 'type' && value === 'item_reference') return value
  if (!isObject(value) || typeof value.id !== 'string') return null
  if (name === 'audio') return name
  return name === 'input' && isAtTop && (value.type ?? value.role ?? null) === null ? 'item_reference' : null
}

const OF_TOOLS = new Set(['parameters', 'input_schema', 'arguments', 'metadata', 'schema'])
/** At the top, `input` is what a model is asked; further down, what a tool is called with. */
const isToolField = (name: string, depth: number) => OF_TOOLS.has(name) || (name === 'input' && depth > 1)
/** Tools that whoever asks runs: those without a type are Anthropic's. */
const OF_CLIENT = /^(function|custom|apply_patch|local_shell|computer|bash|text_editor|memory)(_|$)/
/** Parts of which a model reads more than is sent: pages as pictures, what lies elsewhere. */
const FILES = new Set(['document', 'file', 'input_file', 'video_url', 'input_video', 'audio_url'])

/** Why a call is refused of whoever has a limit, since nobody can tell before what it will use; null where that can be told. */
export function cannotBeCounted(body: Body): string | null {
  const told = (what: string) =>
    `${what} are not for calls that a limit or a budget counts: nobody can tell before what they will use.`
  const found = typesOf(body.tools).find(
    (type) => type !== undefined && (typeof type !== 'string' || !OF_CLIENT.test(type))
  )
  const field = ['mcp_servers', 'web_search_options'].find((name) => body[name] !== undefined)
  if (found !== undefined || field !== undefined)
    return told(`Tools that the provider runs itself (${String(found ?? field)})`)
  if (body.service_tier === 'priority') return told('Calls that go first (service_tier)')
  if (body.speed === 'fast') return told('Calls that go first (speed)')
  if (hasTooManyAnswers(body)) return told(`More than ${LEAST_OUTPUT} answers (n) without a bound`)
  if (isSummed(body)) return told('Summaries of the conversation that the provider makes')
  let file: string | null = null
  walk(body, (value) => {
    if (isObject(value) && isFile(value)) file ??= String(value.type)
  })
  return file === null ? null : told(`Documents (${file})`)
}

/** True where a call without a bound asks for more answers than there are tokens that it is let write at least: each takes one. */
function hasTooManyAnswers({ n, max_tokens, max_completion_tokens }: Body): boolean {
  return typeof n === 'number' && n > LEAST_OUTPUT && (max_tokens ?? max_completion_tokens ?? null) === null
}

/** True where a provider is asked to summarize a conversation, which it reads once more for that. */
function isSummed({ compaction, context_management: managed }: Body): boolean {
  const edits: unknown = isObject(managed) ? managed.edits : managed
  const isSummary = (one: unknown) => isObject(one) && String(one.type).startsWith('compact')
  return (compaction ?? null) !== null || (Array.isArray(edits) && edits.some(isSummary))
}

/** True for a part that is a file, unless it is its own text. */
function isFile({ type, source }: Fields): boolean {
  if (typeof type !== 'string' || !FILES.has(type)) return false
  return !(isObject(source) && (source.type === 'text' || source.type === 'content'))
}

type Fields = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Is told the last name that leads to a value, where lists have none of their own, and how many do. */
type Visit = (value: unknown, name: string, depth: number) => void

/**
 * Visits every value of a body but what a tool of the client is described by, or called with: that may be named anything. How deep and
 * how large it is was checked before it was parsed.
 */
function walk(value: object, visit: Visit, name = '', depth = 0): void {
  if (Array.isArray(value)) for (const one of value) step(one, visit, name, depth)
  else
    for (const [key, one] of Object.entries(value)) if (!isToolField(key, depth + 1)) step(one, visit, key, depth + 1)
}

function step(value: unknown, visit: Visit, name: string, depth: number): void {
  visit(value, name, depth)
  if (typeof value === 'object' && value !== null) walk(value, visit, name, depth)
}
