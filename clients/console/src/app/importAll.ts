import { doneOf, type ImportReport } from '../model/importing.js'
import { failureOf, isAbort } from './hub.js'
import { type ImportChoices, previewImport, runImport, type Source } from './importing.js'

type Part = ImportReport['parts'][number]

/** What came of one of the things in a file. */
export interface Outcome {
  readonly part: Part
  readonly is: 'imported' | 'left' | 'refused'
  /** The same in a sentence: of what is refused the hub's own. */
  readonly said: string
}

/**
 * Imports the things in a file one by one, each in a commit of its own, and tells what came of each: one that is refused holds up
 * none behind it. A collection that was imported before is left: what bringing it up to date would change is to be seen first.
 * Ends before the next one where it is given up.
 */
export async function* importEach(
  source: Source,
  parts: readonly Part[],
  choices: Pick<ImportChoices, 'format' | 'overwrite'>,
  signal: AbortSignal
): AsyncGenerator<Outcome, void> {
  for (const part of parts) {
    const outcome = await importOne(source, part, choices, signal)
    if (outcome === null || signal.aborted) return
    yield outcome
  }
}

async function importOne(
  source: Source,
  part: Part,
  choices: Pick<ImportChoices, 'format' | 'overwrite'>,
  signal: AbortSignal
): Promise<Outcome | null> {
  const named = { ...choices, part: part.id }
  try {
    const { brings, known } = await previewImport(source, named, signal)
    const [before] = brings === 'collection' ? (known ?? []) : []
    if (before) {
      const said = `Imported into ${before.name} before, and left as it is. Choose it by itself to bring ${before.name} up to date.`
      return { part, is: 'left', said }
    }
    return { part, is: 'imported', said: doneOf(await runImport(source, named)) }
  } catch (error) {
    if (isAbort(error)) return null
    return { part, is: 'refused', said: failureOf(error).message }
  }
}
