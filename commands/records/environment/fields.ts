import { z } from 'zod'
import { id } from '../../content.js'
import { type ContentOf, colour, field, kept, named, type SubmittedOf, variables } from '../fields.js'

export const environmentFields = {
  name: named,
  variables,
  marker: colour,
  /** The environment that it builds on. */
  parentUuid: kept(field(z.string().nullable(), id.nullable()), null)
}
export type EnvironmentContent = ContentOf<typeof environmentFields>
export type SubmittedEnvironment = SubmittedOf<typeof environmentFields>
