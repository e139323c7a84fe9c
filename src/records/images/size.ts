/** How many pixels an image has. */
export interface Size {
  readonly width: number
  readonly height: number
}

/**
 * The size of an image of one format, from its header; null for bytes that are no such image, or not all of one. Bytes come
 * from anybody: whoever reads them looks at each place once and never beyond the end.
 */
export type ReadSize = (bytes: Buffer) => Size | null
