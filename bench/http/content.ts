import type { RequestContent } from '../../commands/records/request/fields.js'

const SCRIPT = [
  'const payload = hub.response.json()',
  "hub.test('answers in time', () => hub.expect(hub.response.time).below(400))",
  "hub.variables.set('orderId', payload.items[0].id)"
].join('\n')

/** A saved request of about 1 KB, another one for each number. */
export function requestContent(number: number): RequestContent {
  const body = {
    customer: { id: `c-${number}`, name: 'Margaret Hamilton', email: 'margaret@example.com' },
    items: [
      { sku: 'A-1001', quantity: 2, price: '19.90' },
      { sku: 'B-2002', quantity: 1, price: '149.00' }
    ],
    note: 'Leave it with the neighbours if nobody opens the door.'
  }
  return {
    name: `Create order ${number}`,
    method: 'POST',
    url: '{{baseUrl}}/v2/customers/{{customerId}}/orders?notify=true',
    headers: [
      { key: 'Content-Type', value: 'application/json', enabled: true },
      { key: 'X-Correlation-Id', value: '{{correlationId}}', enabled: false }
    ],
    params: [{ key: 'notify', value: 'true', enabled: true }],
    auth: { type: 'bearer', basic: { username: '', password: '' }, bearer: { token: '{{token}}' } },
    body: JSON.stringify(body, null, 2),
    bodyType: 'json',
    preRequestScript: '',
    postRequestScript: SCRIPT,
    comment: `Revision ${number}`,
    protocol: 'http',
    marker: null
  }
}
