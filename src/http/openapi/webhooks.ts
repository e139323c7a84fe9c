import type { z } from 'zod'
import { MESSAGES } from './answerExamples.js'
import type { Schemas } from './schemas.js'

/** What is told of each kind of message beside its body. */
const TEXTS = {
  change: {
    operationId: 'receiveChange',
    summary: 'Tell that something has changed',
    description: `Sent for each change that a webhook is for, in the order of the log, and again until it is taken: a repeat has the \`webhook-id\`
and the body of the first. It says what has changed, and never what it is now: whoever wants that reads it, with the access of then.`
  },
  test: {
    operationId: 'receiveTest',
    summary: 'Test whether a webhook is reached',
    description: 'Sent once for each call of `testWebhook`, signed as changes are. It tells of no change.'
  }
} as const

const header = (name: string, description: string, example: string) => ({
  ...{ name, in: 'header', required: true, description },
  ...{ schema: { type: 'string' }, example }
})

/** The headers of every message, as Standard Webhooks has them. */
const HEADERS = [
  header(
    'webhook-id',
    'The id of the message. Who keeps the ids that they have seen does nothing twice.',
    'msg_5a0b_4711'
  ),
  header(
    'webhook-timestamp',
    'When it was sent, in seconds since 1970. Refuse what is five minutes away.',
    '1772600767'
  ),
  header(
    'webhook-signature',
    'Signatures with blanks between them, of which one has to be right: `v1,` and the base64 of the HMAC-SHA256 of id, timestamp and body with dots between them.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='
  )
]

const RESPONSES = {
  '2XX': { description: 'It is taken.' },
  410: { description: 'The webhook is switched off.' },
  default: {
    description:
      'It is not taken, a redirect neither. A change is sent again after about 5 seconds, then each time twice as long, up to an hour; `Retry-After` is respected.'
  }
}

/** The schemas of what webhooks are sent, by the kind of message. */
export type Messages = Readonly<Record<keyof typeof TEXTS, z.ZodType>>

/** What the hub sends to the URLs of webhooks. */
export function webhooksOf(messages: Messages, schemas: Schemas) {
  const told = (kind: keyof Messages, name: string, description: string) => ({
    post: {
      ...TEXTS[kind],
      tags: ['webhooks'],
      security: [],
      parameters: HEADERS,
      requestBody: {
        required: true,
        description: 'The message, as JSON.',
        content: {
          'application/json': {
            schema: schemas.of(messages[kind], 'output', { name, description }),
            example: MESSAGES[kind]
          }
        }
      },
      responses: RESPONSES
    }
  })
  return {
    change: told('change', 'ChangeMessage', 'What a webhook is sent of a change.'),
    test: told('test', 'TestMessage', 'What a webhook is sent to test it.')
  }
}
