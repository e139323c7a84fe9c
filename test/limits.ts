import { directoryInMemory } from './limits/support/memory.js'
import { runFolder } from './support/main.js'

// node dist/test/limits.js [part of a path ...]: what is too much for a hub, at full size. One file after the other, since each
// fills the machine. Databases of SQLite lie in memory where it has room; TMPDIR names another place.
const inMemory = directoryInMemory()
if (inMemory !== undefined) process.env.TMPDIR ??= inMemory
await runFolder({
  folder: 'limits/',
  suffix: '.heavy.js',
  isShown: true,
  filters: process.argv.slice(2),
  jobs: 1,
  silence_ms: 1_800_000
})
