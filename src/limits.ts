import { z } from 'zod'

/** One bound of the hub: at most `max` of a unit. */
export interface Limit {
  readonly max: number
  readonly unit: 'bytes' | 'characters' | 'items' | 'levels' | 'ms' | 'calls'
  /** What is bounded, as `docs/limits.md` tells it. */
  readonly what: string
}

const KB = 1024
const MB = 1024 * KB

/**
 * Every bound that somebody outside can meet, in one place: what a request may bring, how large a page of anything is, what may
 * wait to be written or sent. `docs/limits.md` is written from this table, and errors tell its numbers.
 */
export const LIMITS = {
  anonymousBody: limit(4 * KB, 'bytes', 'the body of a request without a token'),
  body: limit(64 * KB, 'bytes', 'the body of a request, where it carries no content'),
  contentBody: limit(8 * MB, 'bytes', 'the body of a request with content; `server.bodyLimitMb` sets it'),
  jsonDepth: limit(64, 'levels', 'how deep JSON in a body may be nested'),
  jsonValues: limit(100_000, 'items', 'keys and list items of all objects and lists in a body together'),

  name: limit(500, 'characters', 'the name of anything'),
  rawName: limit(2000, 'characters', 'a name as it is sent, before it is brought into its composed form'),
  id: limit(64, 'characters', 'an id'),
  label: limit(500, 'characters', 'a label, a marker, a term that is searched for'),
  text: limit(8 * MB, 'characters', 'one text inside a record'),
  page: limit(
    4 * MB,
    'bytes',
    'one page of events or rows, as it is read or sent; a single larger one is a page of its own'
  ),

  toolCalls: limit(
    64,
    'calls',
    'calls of tools in one chat step, of the hub or the client; `llm.toolCallsPerStep` sets it'
  ),
  answerParts: limit(1000, 'items', 'parts of one answer of a model: calls of tools, blocks of text'),
  answerText: limit(2 * MB, 'characters', 'what a model writes in one streamed answer: text and arguments of tools'),
  answerBody: limit(4 * MB, 'bytes', 'one answer of a provider or a tool server, where it comes as a whole'),
  answerStream: limit(32 * MB, 'bytes', 'one answer of a provider, where it comes as a stream of events'),
  answerEvent: limit(MB, 'bytes', 'one event in the stream of a provider, all of its lines together'),
  toolArguments: limit(256 * KB, 'characters', 'the arguments of one call of a tool; longer ones count as none'),
  toolArgumentValues: limit(10_000, 'items', 'keys and list items in the arguments of one call of a tool'),
  toolResult: limit(256 * KB, 'bytes', 'the result of one call of a tool; the rest is cut off'),
  toolResults: limit(MB, 'characters', 'the results of all calls of tools in one chat step; further ones are left out'),
  toolResultParts: limit(1000, 'items', 'parts of the result of one call of a tool'),
  toolDefinition: limit(64 * KB, 'characters', 'the definition of one tool of a tool server; larger ones are left out'),
  toolDefinitions: limit(MB, 'characters', 'the definitions of all tools of one tool server'),
  serverRequests: limit(256, 'calls', 'requests to one tool server at once'),
  serverTools: limit(256, 'items', 'tools of one tool server'),
  turnAge: limit(3_600_000, 'ms', 'how long after the beginning of a turn of a chat its continuations are let through'),
  turnSteps: limit(100, 'items', 'last chat steps of an account among which the beginning of a turn is looked for'),
  waitingEvents: limit(4 * MB, 'bytes', 'events that wait for a client who does not read them')
} as const satisfies Readonly<Record<string, Limit>>

/**
 * A text whose length is checked before anything else is done with it: what is too long is not looked at. The messages are for
 * what is no text at all, and for what is too long.
 */
export function boundedText({ max }: Limit, whenWrong?: string, whenLong = `Longer than ${max} characters`) {
  return z.string(whenWrong === undefined ? {} : { error: whenWrong }).max(max, { error: whenLong, abort: true })
}

function limit<const U extends Limit['unit']>(max: number, unit: U, what: string) {
  return { max, unit, what }
}
