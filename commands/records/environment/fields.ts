import { z } from 'zod'
import { id } from '../../content.js'
import { about, type ContentOf, colour, field, named, optional, type SubmittedOf, variables } from '../fields.js'

export const environmentFields = {
  name: named,
  variables,
  marker: colour,
  parentUuid: about(
    'The id of the environment whose variables it adds to; null for none. Left out, it stays as it is.',
    optional(field(z.string().nullable(), id.nullable()), null)
  )
}
export type EnvironmentContent = ContentOf<typeof environmentFields>
export type SubmittedEnvironment = SubmittedOf<typeof environmentFields>
