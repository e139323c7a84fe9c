import { runFolder, testJobs } from './support/main.js'

// node dist/test/run.js [part of a path ...]
await runFolder({
  folder: '',
  filters: process.argv.slice(2),
  jobs: testJobs(),
  // Longer than any test may be silent by itself, so that what hangs is told by its name.
  silence_ms: 360_000,
  // Four files at once on two processors: what is late for that alone is told, and fails nothing.
  againAlone: process.env.CI === 'true' ? 3 : 0
})
