import type { FilePart } from './parts.js'

/** The same parts, collections first, and those of a format that are environments as one. */
export function together(parts: readonly FilePart[]): readonly FilePart[] {
  const environments = parts.filter(({ brings }) => brings === 'environments')
  const formats = [...new Set(environments.map(({ format }) => format))]
  return [
    ...parts.filter(({ brings }) => brings === 'collection'),
    ...formats.map((format): FilePart => {
      const own = environments.filter((one) => one.format === format)
      const [one] = own
      if (one && own.length === 1) return one
      return {
        ...{ id: `environments of ${format}`, name: 'Environments', format, brings: 'environments' },
        read: (notes) => ({ source: null, environments: own.flatMap((one) => one.read(notes).environments) })
      }
    })
  ]
}
