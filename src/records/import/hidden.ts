import type { Variable } from '../formats/model.js'

/** Variables of a file, with the values that its source keeps out of files as they are here: such a file takes none away. */
export function withHidden(file: readonly Variable[], here: readonly Variable[]): Variable[] {
  const values = new Map(here.map(({ key, value }) => [key, value]))
  return file.map((one) => (one.share || one.value !== '' ? one : { ...one, value: values.get(one.key) ?? '' }))
}
