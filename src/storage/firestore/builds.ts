import type { Build, RowOp } from '../storage.js'
import type { Client } from './client.js'
import { BUILDS, numberId } from './layout.js'
import { withPatience } from './patience.js'
import { encode, integerOf, textOf } from './values.js'

/** Where it is remembered how far a generation has come, beside the log. */
export const buildName = (aside: string, generation: number) => `${aside}/${BUILDS}/${numberId(generation)}`

/**
 * Applies changes and remembers how far they take a generation. They go out in many requests, so a process can end between
 * two of them. Rows that are named can be written again without harm; sweeps of unnamed rows cannot, since they would find
 * rows that were not there the first time: with those, what is remembered is taken away until all of it is done.
 */
export async function applyWithBuild(
  client: Client,
  name: string,
  ops: readonly RowOp[],
  { position, label }: Build,
  apply: () => Promise<void>
): Promise<void> {
  const isRepeatable = ops.every(({ op }) => op !== 'deleteWhere' && op !== 'clear')
  if (!isRepeatable) await withPatience(() => client.commit([{ remove: name }]))
  await apply()
  const fields = { position: encode(position), label: encode(label) }
  await withPatience(() => client.commit([{ set: name, fields }]))
}

/** How far a generation has come; null where that is not known. */
export async function readBuild(client: Client, name: string): Promise<Build | null> {
  const [document] = (await client.get([name])).documents
  if (!document) return null
  return { position: integerOf(document.fields.position) ?? 0, label: textOf(document.fields.label) ?? '' }
}
