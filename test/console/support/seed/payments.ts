import { bearer, type Content, type FolderContent, json, pair, request } from './records.js'

const V1 = '{{baseUrl}}/v1'

/** The request of the story, as it was first saved. */
export const REFUND = request('POST', 'Refund', `${V1}/charges/{{chargeId}}/refunds`, {
  auth: bearer,
  body: json({ amount: 1250, currency: 'EUR' }),
  comment: 'Gives back all of a charge, or a part of it.'
})

const list = (what: string): Content =>
  request('GET', `List ${what}`, `${V1}/${what}`, {
    auth: bearer,
    params: [pair('limit', '20'), pair('starting_after', '', false)]
  })
const get = (what: string): Content => request('GET', `Get a ${what}`, `${V1}/${what}s/{{${what}Id}}`, { auth: bearer })
const remove = (what: string): Content =>
  request('DELETE', `Delete a ${what}`, `${V1}/${what}s/{{${what}Id}}`, { auth: bearer })
const create = (what: string, body: object): Content =>
  request('POST', `Create a ${what}`, `${V1}/${what}s`, {
    auth: bearer,
    headers: [pair('Accept', 'application/json'), pair('Idempotency-Key', '{{$uuid}}')],
    body: json(body)
  })
const update = (what: string, body: object): Content =>
  request('PATCH', `Update a ${what}`, `${V1}/${what}s/{{${what}Id}}`, { auth: bearer, body: json(body) })

const CHECK_STATUS = `hc.test('it is taken', () => {
  hc.expect(hc.response.status).toBe(201)
})
hc.variables.set('chargeId', hc.response.json().id)`

/** Payments: 6 folders, 40 requests and a document. */
export const PAYMENTS: readonly FolderContent[] = [
  {
    name: 'Charges',
    requests: [
      list('charges'),
      get('charge'),
      {
        ...create('charge', { amount: 4900, currency: 'EUR', source: '{{cardToken}}' }),
        postRequestScript: CHECK_STATUS
      },
      update('charge', { metadata: { order: 'A-1042' } }),
      request('POST', 'Capture a charge', `${V1}/charges/{{chargeId}}/capture`, { auth: bearer }),
      request('POST', 'Cancel a charge', `${V1}/charges/{{chargeId}}/cancel`, { auth: bearer }),
      request('GET', 'Search charges', `${V1}/charges/search`, {
        auth: bearer,
        params: [pair('query', 'status:"failed" AND amount>1000'), pair('page', '1')]
      })
    ]
  },
  {
    name: 'Refunds',
    requests: [
      list('refunds'),
      get('refund'),
      REFUND,
      update('refund', { reason: 'requested_by_customer' }),
      request('POST', 'Cancel a refund', `${V1}/refunds/{{refundId}}/cancel`, { auth: bearer }),
      request('GET', 'Refunds of a charge', `${V1}/charges/{{chargeId}}/refunds`, { auth: bearer })
    ]
  },
  {
    name: 'Customers',
    requests: [
      list('customers'),
      get('customer'),
      create('customer', { name: 'Ada Lovelace', email: 'ada@example.com' }),
      update('customer', { email: 'ada@analytical.example' }),
      remove('customer'),
      request('GET', 'Cards of a customer', `${V1}/customers/{{customerId}}/cards`, { auth: bearer }),
      request('POST', 'Add a card', `${V1}/customers/{{customerId}}/cards`, {
        auth: bearer,
        body: json({ source: '{{cardToken}}', default: true })
      }),
      request('DELETE', 'Remove a card', `${V1}/customers/{{customerId}}/cards/{{cardId}}`, { auth: bearer })
    ]
  },
  {
    name: 'Payouts',
    requests: [
      list('payouts'),
      get('payout'),
      create('payout', { amount: 120_000, currency: 'EUR', destination: '{{bankAccountId}}' }),
      request('POST', 'Cancel a payout', `${V1}/payouts/{{payoutId}}/cancel`, { auth: bearer }),
      request('GET', 'Balance', `${V1}/balance`, { auth: bearer }),
      request('GET', 'Balance history', `${V1}/balance/history`, { auth: bearer, params: [pair('days', '30')] })
    ]
  },
  {
    name: 'Disputes',
    requests: [
      list('disputes'),
      get('dispute'),
      update('dispute', { evidence: { shippingDate: '2026-02-03' } }),
      request('POST', 'Submit evidence', `${V1}/disputes/{{disputeId}}/evidence`, {
        auth: bearer,
        headers: [pair('Accept', 'application/json'), pair('Content-Type', 'multipart/form-data')],
        body: '[{"key":"receipt","type":"file","value":"receipt.pdf"}]',
        bodyType: 'multipart'
      }),
      request('POST', 'Close a dispute', `${V1}/disputes/{{disputeId}}/close`, { auth: bearer })
    ]
  },
  {
    name: 'Webhooks',
    requests: [
      list('webhooks'),
      get('webhook'),
      create('webhook', { url: 'https://shop.example.com/hooks', events: ['charge.failed', 'refund.created'] }),
      update('webhook', { enabled: false }),
      remove('webhook'),
      request('POST', 'Send a test event', `${V1}/webhooks/{{webhookId}}/test`, { auth: bearer }),
      request('GET', 'Deliveries of a webhook', `${V1}/webhooks/{{webhookId}}/deliveries`, { auth: bearer }),
      request('GET', 'Event stream', `${V1}/events/stream`, {
        auth: bearer,
        headers: [pair('Accept', 'text/event-stream')]
      })
    ],
    documents: [
      {
        name: 'Verifying a delivery',
        content: `# Verifying a delivery

Each delivery is signed. Compare the header \`X-Signature\` with your own HMAC of the body:

\`\`\`js
import { createHmac, timingSafeEqual } from 'node:crypto'

export function isGenuine(body, signature, secret) {
  const own = createHmac('sha256', secret).update(body).digest()
  return timingSafeEqual(own, Buffer.from(signature, 'hex'))
}
\`\`\`

| Header | What it holds |
|---|---|
| \`X-Signature\` | HMAC-SHA-256 of the body, in hexadecimal |
| \`X-Delivery\` | the same for each attempt at one event |

> Deliveries may come twice. Keep the ids of the last day.
`
      }
    ]
  }
]

/** What the collection itself holds. */
export const PAYMENTS_CONTENT = {
  name: 'Payments',
  variables: [
    {
      key: 'baseUrl',
      value: 'https://api.payments.example',
      defaultValue: 'http://localhost:4010',
      share: true,
      enabled: true
    },
    { key: 'chargeId', value: 'ch_3Ld8Qz', defaultValue: '', share: true, enabled: true },
    { key: 'webhookSecret', value: 'whsec_7f3a9b21', defaultValue: '', share: false, enabled: true }
  ],
  headers: [pair('X-Client', 'hub-team'), pair('X-Debug', '1', false)]
}
