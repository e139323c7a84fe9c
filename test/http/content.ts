/** Complete contents that clients send, every field different from its default. */

export const collectionContent = {
  name: 'Orders',
  variables: [{ key: 'host', value: 'https://api.example.com', defaultValue: 'http://localhost', share: true }],
  headers: [{ key: 'Accept', value: 'application/json', enabled: false }],
  auth: { type: 'basic', basic: { username: 'ada', password: 'secret' }, bearer: { token: '' } },
  preRequestScript: 'hc.variables.set("now", Date.now())',
  postRequestScript: '[{"name":"check","script":"hc.test()"}]'
} as const

export const requestContent = {
  name: 'List orders',
  method: 'POST',
  url: '{{host}}/orders',
  headers: [{ key: 'X-Trace', value: '1', enabled: true }],
  params: [{ key: 'page', value: '2', enabled: false }],
  auth: { type: 'bearer', basic: { username: '', password: '' }, bearer: { token: '{{token}}' } },
  body: '{"open":true}',
  bodyType: 'json',
  preRequestScript: 'before()',
  postRequestScript: 'after()',
  comment: 'Ordered by age.'
} as const

/** What real clients send beside the fields of the interface, with every collection and every request. */
export const clientExtras = {
  userAgent: 'Desktop/1.0',
  bodyRaw: '{}',
  bodyRawOpen: true,
  pre_request_scripts: [{ id: 1 }],
  post_request_scripts: [],
  tags: ['a']
}

export const documentContent = { name: 'Guide.md', content: '# Guide\n\nRead **this** first.\n' } as const

export const environmentContent = {
  name: 'Staging',
  variables: [{ key: 'host', value: 'https://staging.example.com', defaultValue: '', share: false, enabled: false }]
} as const

export const snippetContent = { name: 'Sign', code: 'sign(request)', scope: 'pre-request' } as const
