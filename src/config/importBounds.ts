import { z } from 'zod'
import { LIMITS } from '../limits.js'

/** How large a file may be that is imported: each bound can be set in the section `import` of the configuration. */
export const importBounds = z.object({
  /** Folders, requests and documents; and environments. */
  maxItems: z.number(),
  /** Characters of all contents together. */
  maxContent: z.number(),
  /** What an archive unpacks to, in bytes, and how many files are in it. */
  maxUnpackedBytes: z.number(),
  maxFiles: z.number(),
  /** Values of JSON or YAML, those that a file repeats by reference included; and words and signs of YAML. */
  maxValues: z.number(),
  maxYamlParts: z.number(),
  /** How long reading it may have a processor. */
  maxSeconds: z.number()
})
export type ImportBounds = Readonly<z.infer<typeof importBounds>>

/** The bounds where nothing is set. */
export const USUAL_BOUNDS: ImportBounds = {
  maxItems: LIMITS.importItems.max,
  maxContent: LIMITS.importContent.max,
  maxUnpackedBytes: LIMITS.importUnpacked.max,
  maxFiles: LIMITS.importFiles.max,
  maxValues: LIMITS.importValues.max,
  maxYamlParts: LIMITS.importYamlParts.max,
  maxSeconds: LIMITS.importTime.max / 1000
}
