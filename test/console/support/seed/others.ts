import { bearer, type FolderContent, json, pair, request } from './records.js'

const URL = '{{searchUrl}}'

export const SEARCH_CONTENT = {
  name: 'Search API',
  variables: [
    {
      key: 'searchUrl',
      value: 'https://search.example.com',
      defaultValue: 'http://localhost:9200',
      share: true,
      enabled: true
    }
  ]
}

export const SEARCH: readonly FolderContent[] = [
  {
    name: 'Queries',
    requests: [
      request('GET', 'Suggest', `${URL}/suggest`, { auth: bearer, params: [pair('q', 'refu'), pair('limit', '5')] }),
      request('POST', 'Search', `${URL}/search`, {
        auth: bearer,
        body: json({ query: 'refund', filters: { kind: ['request', 'document'] }, size: 20 }),
        comment: 'Ranks by words in names first. **Filters** narrow, they do not rank.'
      }),
      request('POST', 'Explain a rank', `${URL}/search/explain`, {
        auth: bearer,
        body: json({ query: 'refund', id: '42' })
      })
    ]
  },
  {
    name: 'Index',
    requests: [
      request('GET', 'State of the index', `${URL}/index`, { auth: bearer }),
      request('PUT', 'Put a document', `${URL}/index/{{documentId}}`, {
        auth: bearer,
        body: json({ title: 'Refunds' })
      }),
      request('DELETE', 'Remove a document', `${URL}/index/{{documentId}}`, { auth: bearer })
    ]
  }
]

export const ONBOARDING_CONTENT = { name: 'Onboarding' }

export const ONBOARDING: readonly FolderContent[] = [
  {
    name: 'First day',
    requests: [
      request('GET', 'Who am I', '{{baseUrl}}/v1/me', { auth: bearer }),
      request('GET', 'Is it up', '{{baseUrl}}/health', { headers: [] })
    ],
    documents: [
      {
        name: 'Welcome',
        content: `# Welcome

You need three things on your first day:

1. a **token** of this hub, which Grace gives you,
2. the environment *Staging*,
3. the collection [Payments](https://hub.example.com/console/), to look around in.

- [x] Ask for an invitation
- [ ] Send *Who am I*
- [ ] Read how a delivery is verified

~~The old wiki~~ is no more.
`
      },
      {
        name: 'Whom to ask',
        content: `# Whom to ask

| About | Who |
|---|---|
| payments, refunds | Mara |
| search | Tomás |
| access, tokens | Grace |
`
      }
    ]
  }
]

const variable = (key: string, value: string, share = true) => ({ key, value, defaultValue: '', share, enabled: true })

export const ENVIRONMENTS = [
  {
    name: 'Staging',
    variables: [variable('baseUrl', 'https://staging.payments.example'), variable('token', 'stg_5Kq2vX8m', false)]
  },
  {
    name: 'Production',
    variables: [
      variable('baseUrl', 'https://api.payments.example'),
      variable('token', '', false),
      { ...variable('verbose', '1'), enabled: false }
    ]
  }
] as const

export const SNIPPETS = [
  {
    name: 'Sign the body',
    scope: 'pre-request',
    code: `const secret = hc.variables.get('webhookSecret')
const signature = hc.crypto.hmac('sha256', hc.request.body, secret)
hc.request.headers.set('X-Signature', signature)
`
  },
  {
    name: 'Fail on slow answers',
    scope: 'post-request',
    code: `hc.test('it answers within a second', () => {
  hc.expect(hc.response.time).toBeLessThan(1000)
})
`
  },
  { name: 'Remember the id', scope: 'any', code: `hc.variables.set('id', hc.response.json().id)\n` }
] as const
