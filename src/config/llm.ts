import { z } from 'zod'
import { LIMITS } from '../limits.js'
import {
  baseUrl,
  integer,
  isMapping,
  matching,
  numeral,
  optional,
  optionalAs,
  orElse,
  secret,
  text,
  unlessMissing
} from './fields.js'
import { headers } from './headers.js'

const MAX_SECONDS = 86_400
const NO_PROVIDER = 'llm.providers must include at least one provider with an apiKey.'
const WRONG_PROVIDER = 'Provider must be "openai", "claude" or "gemini", or the id of an endpoint in llm.endpoints.'
const ENDPOINTS_MAX = 50
const KEYS_MAX = 20
const FALLBACKS_MAX = 5
const DOLLARS_MAX = 1_000_000
const BUILT_IN: readonly string[] = ['openai', 'claude', 'gemini', 'provider_a', 'provider_b', 'provider_c']

/** Names that stand for a provider where it is not to be named; accepted wherever the real one is. */
const PLACEHOLDERS = [
  ['provider_a', 'openai'],
  ['provider_b', 'claude'],
  ['provider_c', 'gemini']
] as const

const key = matching(
  /^[\x21-\x7e]*$/,
  'LLM provider apiKey must not hold white space or other characters that a header cannot carry.'
)

/** Another address that speaks as OpenAI or Anthropic do: a local one, a reseller, another gateway. */
const endpoint = z.strictObject({
  id: matching(
    /^[a-z0-9][a-z0-9-]{0,31}$/,
    'The id of an endpoint has small letters, digits and hyphens, 32 at most.'
  ).refine((id) => !BUILT_IN.includes(id), 'This id is that of a provider in llm.providers.'),
  name: text(),
  interface: z.enum(['openai', 'anthropic'], { error: unlessMissing('Must be "openai" or "anthropic".') }),
  baseUrl,
  apiKeys: orElse(z.array(secret(key.min(1, 'Must not be empty.'))).max(KEYS_MAX, `At most ${KEYS_MAX}.`), []),
  timeoutSeconds: orElse(integer(1, MAX_SECONDS), 120),
  maxRetries: orElse(integer(0, 10), 2),
  /** What it calls the most tokens that a model may write. */
  outputField: orElse(
    z.enum(['max_completion_tokens', 'max_tokens'], 'Must be "max_completion_tokens" or "max_tokens".'),
    'max_completion_tokens'
  )
})

const provider = z
  .strictObject({
    apiKey: secret(optionalAs(key)),
    baseUrl: optionalAs(baseUrl),
    timeoutSeconds: orElse(integer(1, MAX_SECONDS), 120),
    maxRetries: orElse(integer(0, 10), 2)
  })
  .nullish()

/** The entry of a provider that is to be used; null for one that is off: it is not there, or has no key. */
function withKey(given: z.output<typeof provider>) {
  if (given?.apiKey === undefined) return null
  const { apiKey, baseUrl, ...rest } = given
  return { apiKey, ...rest, ...(baseUrl !== undefined && { baseUrl }) }
}

const providers = z
  .strictObject(
    {
      openai: provider,
      claude: provider,
      gemini: provider,
      provider_a: provider,
      provider_b: provider,
      provider_c: provider
    },
    { error: ({ input }) => (input == null ? NO_PROVIDER : undefined) }
  )
  .superRefine(
    (given, context) => {
      for (const [placeholder, name] of PLACEHOLDERS) {
        if (given[name] == null || given[placeholder] == null) continue
        const message = `${placeholder} is another name of ${name}: keep one of the two.`
        context.addIssue({ code: 'custom', path: [placeholder], message })
      }
    },
    // Otherwise a mistake inside one provider would hide the mistakes between them.
    { when: ({ value }) => isMapping(value) }
  )
  .transform((given) => {
    const named = PLACEHOLDERS.map(([placeholder, name]) => [name, withKey(given[name] ?? given[placeholder])] as const)
    return Object.fromEntries(named.flatMap(([name, config]) => (config === null ? [] : [[name, config] as const])))
  })

const providerName = z
  .string({ error: unlessMissing(WRONG_PROVIDER) })
  .transform((name) => PLACEHOLDERS.find(([placeholder]) => placeholder === name)?.[1] ?? name)

/** US dollars for a million tokens. */
const dollars = numeral(
  { minimum: 0, maximum: DOLLARS_MAX },
  z
    .string()
    .trim()
    .regex(/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/),
  'A price is a number of US dollars for a million tokens.'
)
  .refine((value) => value >= 0, 'A price must not be below 0.')
  .refine((value) => value <= DOLLARS_MAX, 'A price is in US dollars for a million tokens.')

const catalogModel = z.strictObject({
  id: text(),
  label: text(),
  provider: providerName,
  /** What the provider calls it, where that is not its id. */
  model: optional(text()),
  /** Models that stand in for it, in this order, where its provider has too much to do, fails or does not begin to answer. */
  fallbacks: optional(z.array(text()).max(FALLBACKS_MAX, `At most ${FALLBACKS_MAX}.`)),
  price: optional(z.strictObject({ input: dollars, output: dollars }))
})

const sections = z.strictObject(
  {
    providers,
    endpoints: orElse(z.array(endpoint).max(ENDPOINTS_MAX, `At most ${ENDPOINTS_MAX} endpoints.`), []),
    models: optional(z.array(text())),
    catalog: optional(z.array(catalogModel)),
    mcp: orElse(z.array(z.strictObject({ name: text(), url: baseUrl, headers: orElse(headers, []) })), []),
    stepTimeoutSeconds: orElse(integer(1, MAX_SECONDS), 110),
    toolCallsPerStep: orElse(integer(1, LIMITS.answerParts.max), LIMITS.toolCalls.max)
  },
  { error: 'llm must be a mapping; remove the key to serve no models.' }
)

/** What holds between the parts of the section, as far as those can be read. */
const parts = z.object({
  providers: z
    .record(z.string(), z.object({ apiKey: z.unknown() }).nullish().catch(null))
    .nullish()
    .catch(null),
  endpoints: z.array(z.object({ id: z.unknown().optional() })).catch([]),
  catalog: z
    .array(
      z.object({
        id: z.unknown().optional(),
        provider: z.unknown().optional(),
        fallbacks: z.array(z.unknown()).nullish().catch(null)
      })
    )
    .catch([])
})

/** The `llm` section. The key without a value is a mistake: whether the section exists decides what the hub offers. */
export const llm = sections.superRefine(
  (given, context) => {
    const { providers, endpoints, catalog } = parts.parse(given)
    if (endpoints.length === 0 && providers && Object.values(providers).every((one) => !one?.apiKey))
      context.addIssue({ code: 'custom', path: ['providers'], message: NO_PROVIDER })
    const ids = endpoints.map(({ id }) => id)
    if (new Set(ids).size < ids.length)
      context.addIssue({ code: 'custom', path: ['endpoints'], message: 'Two endpoints have the same id.' })
    const providerIds = new Set<unknown>([...BUILT_IN, ...ids])
    const models = new Set(catalog.map(({ id }) => id))
    for (const [at, { provider, fallbacks }] of catalog.entries()) {
      if (typeof provider === 'string' && !providerIds.has(provider))
        context.addIssue({ code: 'custom', path: ['catalog', at, 'provider'], message: WRONG_PROVIDER })
      const unknown = fallbacks?.find((id) => !models.has(id))
      if (unknown !== undefined)
        context.addIssue({
          code: 'custom',
          path: ['catalog', at, 'fallbacks'],
          message: `The catalog has no model "${String(unknown)}".`
        })
    }
  },
  { when: ({ value }) => isMapping(value) }
)
