import type { EnvironmentOfFile, Notes } from '../formats/model.js'
import { isBruno, readBruno } from './bruno.js'
import { isBrunoEnvironments, readBrunoEnvironments } from './environments/bruno.js'
import { isInsomniaEnvironments, readInsomniaEnvironments } from './environments/insomnia.js'
import { isPostmanEnvironment, readPostmanEnvironment } from './environments/postman.js'
import { isHar, readHar } from './har.js'
import {
  isHarborClient,
  isHarborClientEnvironment,
  readHarborClient,
  readHarborClientEnvironment
} from './harborclient.js'
import type { ImportFormat } from './imported.js'
import { isInsomnia, readInsomnia } from './insomnia.js'
import { fields, list, text } from './loose.js'
import { isOpenApi, readOpenApi } from './openapi/openapi.js'
import {
  isOpenCollection,
  isOpenEnvironment,
  readOpenCollection,
  readOpenEnvironment
} from './opencollection/opencollection.js'
import type { FilePart, ReadSource } from './parts.js'
import { isPostman, readPostman } from './postman.js'
import { isPostmanV1, readPostmanV1 } from './postmanV1.js'

/** A format whose files are JSON or YAML. */
interface ValueFormat {
  readonly format: ImportFormat
  readonly is: (value: unknown) => boolean
  readonly read: (value: unknown, notes: Notes) => ReadSource
  /** Where the tool has files of environments alone. */
  readonly environments?: {
    readonly is: (value: unknown) => boolean
    readonly read: (value: unknown, notes: Notes) => readonly EnvironmentOfFile[]
  }
}

/** By what they are told from the content; the first that fits counts. */
const VALUE_FORMATS: readonly ValueFormat[] = [
  {
    format: 'harborclient',
    is: isHarborClient,
    read: readHarborClient,
    environments: {
      is: isHarborClientEnvironment,
      read: (value, notes) => [readHarborClientEnvironment(value, notes)]
    }
  },
  {
    format: 'postman',
    is: (value) => isPostman(value) || isPostmanV1(value),
    read: (value, notes) => (isPostmanV1(value) ? readPostmanV1(value, notes) : readPostman(value, notes)),
    environments: { is: isPostmanEnvironment, read: (value, notes) => [readPostmanEnvironment(value, notes)] }
  },
  { format: 'openapi', is: isOpenApi, read: readOpenApi },
  {
    format: 'insomnia',
    is: isInsomnia,
    read: readInsomnia,
    environments: { is: isInsomniaEnvironments, read: readInsomniaEnvironments }
  },
  { format: 'har', is: isHar, read: readHar },
  {
    format: 'bruno',
    is: isBruno,
    read: readBruno,
    environments: { is: isBrunoEnvironments, read: readBrunoEnvironments }
  },
  {
    format: 'opencollection',
    is: isOpenCollection,
    read: readOpenCollection,
    environments: { is: isOpenEnvironment, read: (value, notes) => [readOpenEnvironment(value, 'Environment', notes)] }
  }
]

/** What a value of JSON or YAML brings, of this format or of any; nothing where it is of none. */
export function partsOfValue(value: unknown, wanted?: ImportFormat): readonly FilePart[] {
  const dump = wanted === undefined || wanted === 'postman' ? postmanDumpIn(value) : null
  return dump ? partsOfDump(dump) : partOfValue(value, wanted)
}

/** Everything of an account of Postman in one file, as data dumps were until 2020. */
interface PostmanDump {
  readonly collections: readonly unknown[]
  readonly environments: readonly unknown[]
}

/** The parts of such a file; null for another one. Globals are an environment of that name. */
function postmanDumpIn(value: unknown): PostmanDump | null {
  const { version, collections, environments, globals, info, item } = fields(value)
  if (!Array.isArray(collections) || info !== undefined || item !== undefined) return null
  if (typeof version !== 'number' && !Array.isArray(environments) && !Array.isArray(globals)) return null
  const rest = list(globals).length === 0 ? [] : [{ name: 'Globals', values: globals }]
  return { collections, environments: [...list(environments), ...rest] }
}

function partsOfDump({ collections, environments }: PostmanDump): readonly FilePart[] {
  const numbered = (name: string, all: readonly unknown[]) =>
    all.flatMap((one, i) =>
      partOfValue(one, 'postman').map((part) => ({ ...part, id: `${name}/${text(fields(one).id) || i}` }))
    )
  return [...numbered('collections', collections), ...numbered('environments', environments)]
}

function partOfValue(value: unknown, wanted: ImportFormat | undefined): readonly FilePart[] {
  for (const { format, is, read, environments } of VALUE_FORMATS) {
    if (wanted !== undefined && format !== wanted) continue
    if (environments?.is(value)) {
      const readAll: FilePart['read'] = (notes) => ({ source: null, environments: environments.read(value, notes) })
      return [{ id: 'file', name: nameIn(value), format, brings: 'environments', read: readAll }]
    }
    if (is(value))
      return [{ id: 'file', name: nameIn(value), format, brings: 'collection', read: readWith(read, value) }]
  }
  return []
}

const readWith =
  (read: ValueFormat['read'], value: unknown): FilePart['read'] =>
  (notes) => {
    const source = read(value, notes)
    return { source, environments: source.environments ?? [] }
  }

/** What a file says that it is called, wherever its format says it. */
function nameIn(value: unknown): string {
  const { name, info, collection, environment } = fields(value)
  const inner = fields(collection ?? environment)
  const { title, name: named } = fields(info ?? inner.info)
  return text(name ?? named ?? title ?? inner.name)
}

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
