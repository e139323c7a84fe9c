/**
 * The rooms of ARCHITECTURE.md from the bottom up, checked on the sources: what imports only types counts too.
 * A room imports what stands in its own line and in the lines before it.
 */
const ROOMS = [
  ['src/limits', 'src/errors', 'src/lib/', 'src/logging/', 'src/net/', 'src/config/'],
  ['src/storage/', 'src/log/'],
  ['src/readmodel/', 'src/throttle/'],
  ['commands/'],
  ['projections/'],
  ['queries/', 'migrations/index'],
  ['src/ledger/'],
  // Who opens a database: also what restores one, or verifies it.
  ['src/app/databases', 'migrations/migrate'],
  ['src/followers/', 'src/records/', 'src/llm/', 'src/signIn/', 'src/authorization/', 'src/directory/'],
  ['src/trust/'],
  ['src/app/(hub|lease|openLedger|plainTables|rebuildThread|start)', 'src/agents/'],
  ['src/tenants/'],
  ['src/app/(keys|live|reload)'],
  ['src/ops/'],
  ['src/http/'],
  ['migrations/legacy'],
  ['cli/']
]
const at = (rooms) => `^(${rooms.join('|')})`

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...ROOMS.slice(0, -1).map((rooms, i) => ({
      name: 'arrows-point-down',
      severity: 'error',
      from: { path: at(rooms) },
      to: { path: at(ROOMS.slice(i + 1).flat()) }
    })),
    {
      name: 'every-room-has-its-line',
      severity: 'error',
      from: { path: '.', pathNot: at(ROOMS.flat()) },
      to: { path: '.' }
    }
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^node:' },
    parser: 'swc',
    enhancedResolveOptions: {
      extensions: ['.js', '.ts'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node']
    }
  }
}
