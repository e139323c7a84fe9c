import { runFolder, testJobs } from './support/main.js'

// node dist/test/quick.js: what a change is most likely to break, in half a minute and without any server.
await runFolder({
  folder: '',
  withoutServices: 'not in the quick loop',
  filters: [
    ...['config/', 'decide/', 'feed/', 'history/', 'log/', 'ops/', 'projections/'],
    ...['contract/memory', 'contract/sqlite', 'property/programs']
  ],
  jobs: testJobs(),
  silence_ms: 90_000
})
