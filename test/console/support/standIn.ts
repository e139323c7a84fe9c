import { fileURLToPath } from 'node:url'

/** Where a console is that is as small as one can be: for tests of what serves it, which need no build of the real one. */
export const STAND_IN = fileURLToPath(new URL('../../../../test/console/stand-in/', import.meta.url))
