import { writeFileSync } from 'node:fs'
import { LIMITS } from '../src/limits.js'
import { limitsPage } from './limitsPage.js'

// From dist/docs to the pages of the project.
writeFileSync(new URL('../../docs/limits.md', import.meta.url), limitsPage(LIMITS))
