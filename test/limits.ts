import { runFolder } from './support/main.js'

// node dist/test/limits.js [part of a path ...]: what is too much for a hub, at full size. One file after the other, since each
// fills the machine.
await runFolder({
  folder: 'limits/',
  suffix: '.heavy.js',
  isShown: true,
  filters: process.argv.slice(2),
  jobs: 1,
  silence_ms: 1_800_000
})
