/**
 * What a room may pull in at run time, checked on the compiled code, where imports of types are gone. Which room stands
 * above which, types included, is in `.dependency-cruiser.rooms.cjs`.
 */
const at = (...rooms) => `^dist/(${rooms.join('|')})`

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: { path: '^dist/' },
      to: { circular: true }
    },
    {
      name: 'the-domain-is-pure',
      comment:
        'commands/ and projections/ decide and compute: they reach no world, only each other, the error catalogue and what row changes mean',
      severity: 'error',
      from: { path: at('commands/', 'projections/') },
      to: {
        pathNot: [
          at('commands/', 'projections/', 'src/errors\\.js', 'src/limits\\.js', 'src/storage/rowOps\\.js'),
          'node_modules/zod/'
        ]
      }
    },
    {
      name: 'what-row-changes-mean-is-pure',
      severity: 'error',
      from: { path: at('src/storage/(rowOps|order)\\.js') },
      to: { pathNot: at('src/storage/order\\.js') }
    },
    {
      name: 'queries-ask',
      comment: 'queries/ speak to read tables through the port they are given',
      severity: 'error',
      from: { path: at('queries/') },
      to: {
        pathNot: [
          at('queries/', 'projections/', 'commands/', 'src/errors\\.js', 'src/limits\\.js'),
          'node_modules/zod/'
        ]
      }
    },
    {
      name: 'the-drivers-know-no-http',
      comment: 'drivers throw the errors of the port; what a client is told of them is said above',
      severity: 'error',
      from: { path: at('src/storage/') },
      to: { path: at('src/errors\\.js') }
    },
    {
      name: 'only-the-composition-root-names-a-driver',
      severity: 'error',
      from: { path: '^dist/', pathNot: at('src/app/(databases|plainTables)\\.js', 'src/storage/', 'test/', 'bench/') },
      to: { path: at('src/storage/(sqlite|postgres|mysql|firestore|s3)') }
    },
    {
      name: 'webhooks-know-no-other-capability',
      comment: 'what they share with other rooms stands below both',
      severity: 'error',
      from: { path: at('src/followers/webhooks/') },
      to: { path: at('src/(llm|trust|records|ops|http)/', 'src/app/hub\\.js', 'src/app/live\\.js') }
    },
    {
      name: 'the-network-knows-no-room-that-uses-it',
      comment: 'addresses and TLS are below whoever connects or listens',
      severity: 'error',
      from: { path: at('src/net/') },
      to: { path: at('src/'), pathNot: at('src/(net|lib)/', 'src/limits\\.js', 'src/errors\\.js') }
    },
    {
      name: 'only-the-metrics-know-their-library',
      comment: 'the other rooms offer plain counters, which are read when somebody collects them',
      severity: 'error',
      from: { path: '^dist/', pathNot: at('src/ops/metrics\\.js') },
      to: { path: 'node_modules/prom-client/' }
    },
    {
      name: 'checks-ask-through-ports',
      severity: 'error',
      from: { path: at('src/ops/'), pathNot: at('src/ops/host\\.js') },
      to: { path: at('src/app/(hub|live|databases)\\.js', 'src/ledger/(ledger|writer)\\.js') }
    },
    {
      name: 'history-and-audit-form-no-circle',
      comment: 'audit entries show what the history says changed; the history knows nothing of audits, by whatever way',
      severity: 'error',
      from: { path: at('src/records/history/') },
      to: { path: at('src/trust/audit/'), reachable: true }
    },
    {
      name: 'notices-read-the-end-of-the-log',
      severity: 'error',
      from: { path: at('src/followers/notices/') },
      to: {
        path: at('src/(llm|trust|records|ops|http|followers/search|followers/webhooks)/', 'src/app/')
      }
    },
    {
      name: 'agents-ask-queries-and-the-ledger',
      severity: 'error',
      from: { path: at('src/agents/') },
      to: { path: at('src/(llm|ops|trust/backup|trust/erasure|throttle|config)/', 'src/app/') }
    },
    {
      name: 'the-protocol-of-agents-is-known-where-it-is-spoken',
      comment: 'it is loaded with its first use: neither a start nor a hub without agents and tool servers needs it',
      severity: 'error',
      from: { path: '^dist/', pathNot: at('src/agents/(server|load)\\.js', 'src/llm/mcp/', 'test/', 'bench/') },
      to: { path: 'node_modules/@modelcontextprotocol/' }
    },
    {
      name: 'formats-in-and-out-know-nothing-of-each-other',
      comment: 'what both need, a collection as formats describe it, lies below both',
      severity: 'error',
      from: { path: at('src/records/import/') },
      to: { path: at('src/records/export/') }
    },
    {
      name: 'formats-out-and-in-know-nothing-of-each-other',
      severity: 'error',
      from: { path: at('src/records/export/') },
      to: { path: at('src/records/import/') }
    },
    {
      name: 'what-formats-share-is-below-them',
      severity: 'error',
      from: { path: at('src/records/formats/') },
      to: {
        pathNot: [
          at('src/records/formats/', 'src/errors\\.js', 'src/limits\\.js', 'src/lib/heap\\.js'),
          'node_modules/zod/',
          '^(worker_threads|fs|path)$'
        ]
      }
    },
    {
      name: 'search-reads',
      comment: 'the index is made of rows and of what events touched; who runs it and who asks are above',
      severity: 'error',
      from: { path: at('src/followers/search/') },
      to: {
        path: at('src/(trust|records|followers/feed|llm|ops)/', 'src/(ledger|app)/', 'migrations/')
      }
    },
    {
      name: 'the-description-is-made-from-what-it-is-given',
      comment: 'routes describe themselves with types of src/http/openapi/; it knows neither them nor what they do',
      severity: 'error',
      from: { path: at('src/http/openapi/') },
      to: { pathNot: [at('src/http/openapi/', 'src/limits\\.js', 'src/lib/turns\\.js'), 'node_modules/zod/'] }
    },
    {
      name: 'clients-know-nothing-of-the-hub',
      severity: 'error',
      from: { path: at('clients/') },
      to: { pathNot: [at('clients/'), 'node_modules/'] }
    },
    {
      name: 'the-hub-knows-no-client',
      severity: 'error',
      from: { path: '^dist/', pathNot: at('clients/', 'test/', 'bench/') },
      to: { path: at('clients/') }
    },
    {
      name: 'nothing-ships-a-test',
      severity: 'error',
      from: { path: '^dist/', pathNot: at('test/', 'bench/') },
      to: { path: at('test/', 'bench/') }
    },
    {
      name: 'every-import-resolves',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true }
    }
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // The console is one bundle of its own, whose arrows are the compiler's to check; dist/bin is made of what is checked here.
    exclude: { path: '^node:|^dist/(console|bin)/' },
    moduleSystems: ['es6', 'cjs'],
    tsPreCompilationDeps: false,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] }
  }
}
