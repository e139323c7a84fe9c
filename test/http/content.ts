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

/** A live server as the desktop begins one: what a name alone is filled up to. */
export const liveServerContent = {
  name: 'Docs site',
  root: '',
  host: '127.0.0.1',
  port: null,
  aliases: [],
  watch: true,
  cors: {
    enabled: false,
    origin: '*',
    methods: 'GET,HEAD,PUT,PATCH,POST,DELETE',
    allowedHeaders: '*',
    exposedHeaders: '',
    maxAge: '',
    credentials: false
  },
  openPath: '/',
  openPathOnStartup: true,
  rememberLastUrl: false,
  lastOpenedPath: null,
  indexFiles: ['index.html'],
  headers: [],
  routes: [],
  errorPages: [],
  proxies: [],
  ssl: { enabled: false, certPath: '', keyPath: '' },
  runCommand: '',
  runtimeId: '',
  runCommandEnv: [],
  runCommandEnabled: false,
  restartOnCrash: false,
  urlVariable: '',
  preRequestScripts: [],
  postRequestScripts: []
} as const

/** A live page as the desktop begins one. */
export const livePageContent = {
  name: 'Shop',
  url: 'about:blank',
  homeUrl: 'about:blank',
  faviconDataUrl: null,
  scripts: [],
  preRequestScripts: [],
  postRequestScripts: [],
  variables: [],
  headers: [],
  userAgent: '',
  auth: { type: 'none', basic: { username: '', password: '' }, bearer: { token: '' } }
} as const
