import { resolve } from 'node:path'
import { z } from 'zod'
import { integer, orElse, path } from './fields.js'

/** The `authorization` section: programs that ask people for a token. */
export const authorization = (baseDir: string) =>
  z.strictObject(
    {
      /** The key of registrations and of what is on its way; made when it is first needed. */
      keyFile: orElse(path(baseDir, 'Must not be empty.'), resolve(baseDir, 'data/authorization-key')),
      /** How long a token is in force that a program is given. */
      tokenDays: orElse(integer(1, 3650), 90)
    },
    { error: 'authorization must be a mapping; remove the key where programs get no tokens by themselves.' }
  )
