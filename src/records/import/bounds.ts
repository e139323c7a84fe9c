import { LIMITS } from '../../limits.js'

/** How large a file may be that is imported: each bound can be set in the section `import` of the configuration. */
export interface ImportBounds {
  /** Folders, requests and documents; and environments. */
  readonly maxItems: number
  /** Characters of all contents together. */
  readonly maxContent: number
  /** What an archive unpacks to, in bytes, and how many files are in it. */
  readonly maxUnpackedBytes: number
  readonly maxFiles: number
  /** Values of JSON or YAML, those that a file repeats by reference included; and words and signs of YAML. */
  readonly maxValues: number
  readonly maxYamlParts: number
  /** How long reading it may have a processor. */
  readonly maxSeconds: number
}

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
