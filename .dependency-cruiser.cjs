/**
 * The arrows of ARCHITECTURE.md, checked on the compiled code, where imports of types are gone:
 * what is left is what a room really pulls in at run time.
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
      name: 'the-log-and-the-drivers-know-no-aggregate',
      severity: 'error',
      from: { path: at('src/log/', 'src/storage/') },
      to: { path: at('commands/', 'projections/', 'queries/', 'migrations/', 'cli/', 'src/http/', 'src/hub\\.js') }
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
      from: { path: '^dist/', pathNot: at('src/hub\\.js', 'src/legacy/plain\\.js', 'src/storage/', 'test/', 'bench/') },
      to: { path: at('src/storage/(sqlite|postgres|mysql|firestore|s3)') }
    },
    {
      name: 'the-log-knows-no-room-that-reads-it',
      severity: 'error',
      from: { path: at('src/log/') },
      to: { path: at('src/(audit|history|feed|search|erasure|backup|config|ops)/', 'src/ledger\\.js') }
    },
    {
      name: 'webhooks-know-no-other-capability',
      comment: 'what they share with other rooms stands below both',
      severity: 'error',
      from: { path: at('src/webhooks/') },
      to: { path: at('src/(llm|audit|history|erasure|backup|ops|http)/', 'src/hub\\.js', 'src/live\\.js') }
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
      to: { path: at('src/hub\\.js', 'src/live\\.js', 'src/ledger\\.js') }
    },
    {
      name: 'history-and-audit-form-no-circle',
      comment: 'audit entries show what the history says changed; the history knows nothing of audits, by whatever way',
      severity: 'error',
      from: { path: at('src/history/') },
      to: { path: at('src/audit/'), reachable: true }
    },
    {
      name: 'notices-read-the-end-of-the-log',
      severity: 'error',
      from: { path: at('src/notices/') },
      to: {
        path: at('src/(llm|audit|history|erasure|backup|ops|http|search|webhooks)/', 'src/(hub|live)\\.js')
      }
    },
    {
      name: 'agents-ask-queries-and-the-ledger',
      severity: 'error',
      from: { path: at('src/agents/') },
      to: { path: at('src/(llm|ops|backup|erasure|throttle|config)/', 'src/(hub|live)\\.js') }
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
      from: { path: at('src/import/') },
      to: { path: at('src/export/') }
    },
    {
      name: 'formats-out-and-in-know-nothing-of-each-other',
      severity: 'error',
      from: { path: at('src/export/') },
      to: { path: at('src/import/') }
    },
    {
      name: 'what-formats-share-is-below-them',
      severity: 'error',
      from: { path: at('src/formats/') },
      to: {
        pathNot: [
          at('src/formats/', 'src/errors\\.js', 'src/limits\\.js', 'src/heap\\.js'),
          'node_modules/zod/',
          '^(worker_threads|fs|path)$'
        ]
      }
    },
    {
      name: 'search-reads',
      comment: 'the index is made of rows and of what events touched; who runs it and who asks are above',
      severity: 'error',
      from: { path: at('src/search/') },
      to: {
        path: at('src/(audit|history|feed|erasure|backup|llm|ops)/', 'src/(ledger|hub|live)\\.js', 'migrations/')
      }
    },
    {
      name: 'the-description-is-made-from-what-it-is-given',
      comment: 'routes describe themselves with types of src/openapi/; it knows neither them nor what they do',
      severity: 'error',
      from: { path: at('src/openapi/') },
      to: { pathNot: [at('src/openapi/', 'src/limits\\.js', 'src/turns\\.js'), 'node_modules/zod/'] }
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
      name: 'nothing-below-knows-the-command-line-or-http',
      severity: 'error',
      from: { path: '^dist/', pathNot: at('cli/', 'src/http/', 'test/', 'bench/', 'docs/') },
      to: { path: at('cli/', 'src/http/') }
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
