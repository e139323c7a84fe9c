import { z } from 'zod'
import { LIMITS } from '../limits.js'
import {
  baseUrl,
  integer,
  isMapping,
  matching,
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

/** Names that stand for a provider where it is not to be named; accepted wherever the real one is. */
const PLACEHOLDERS = [
  ['provider_a', 'openai'],
  ['provider_b', 'claude'],
  ['provider_c', 'gemini']
] as const

const provider = z
  .strictObject({
    apiKey: secret(
      optionalAs(
        matching(
          /^[\x21-\x7e]*$/,
          'LLM provider apiKey must not hold white space or other characters that a header cannot carry.'
        )
      )
    ),
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
      if (Object.values(given).every((config) => !config?.apiKey)) {
        context.addIssue({ code: 'custom', message: NO_PROVIDER })
      }
    },
    // Otherwise a mistake inside one provider would hide the mistakes between them.
    { when: ({ value }) => isMapping(value) }
  )
  .transform((given) => {
    const named = PLACEHOLDERS.map(([placeholder, name]) => [name, withKey(given[name] ?? given[placeholder])] as const)
    return Object.fromEntries(named.flatMap(([name, config]) => (config === null ? [] : [[name, config] as const])))
  })

const providerName = z.union(
  [
    z.enum(['openai', 'claude', 'gemini']),
    z.literal('provider_a').transform(() => 'openai' as const),
    z.literal('provider_b').transform(() => 'claude' as const),
    z.literal('provider_c').transform(() => 'gemini' as const)
  ],
  { error: unlessMissing('Provider must be "openai", "claude" or "gemini".') }
)

/** US dollars for a million tokens. */
const dollars = z.coerce
  .number({ error: 'A price is a number of US dollars for a million tokens.' })
  .min(0, 'A price must not be below 0.')
  .max(1_000_000, 'A price is in US dollars for a million tokens.')

const catalogModel = z.strictObject({
  id: text(),
  label: text(),
  provider: providerName,
  price: optional(z.strictObject({ input: dollars, output: dollars }))
})

/** The `llm` section. The key without a value is a mistake: whether the section exists decides what the hub offers. */
export const llm = z.strictObject(
  {
    providers,
    models: optional(z.array(text())),
    catalog: optional(z.array(catalogModel)),
    mcp: orElse(z.array(z.strictObject({ name: text(), url: baseUrl, headers: orElse(headers, []) })), []),
    stepTimeoutSeconds: orElse(integer(1, MAX_SECONDS), 110),
    toolCallsPerStep: orElse(integer(1, LIMITS.answerParts.max), LIMITS.toolCalls.max)
  },
  { error: 'llm must be a mapping; remove the key to serve no models.' }
)
