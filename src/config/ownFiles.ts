import type { z } from 'zod'
import { linkless } from '../lib/files.js'
import { type KeySections, madeKeys } from './keys.js'

interface FilesOf extends KeySections {
  readonly db: object
  readonly tenants: Readonly<Record<string, { readonly db?: object | undefined }>>
  readonly multitenancy: { readonly databases: Readonly<Record<string, object>> }
  readonly logging: { readonly file?: string | undefined }
  readonly audit: {
    readonly checkpointKeyFile: string
    readonly sealKeyFile?: string | undefined
    readonly formerSealKeyFiles: readonly string[]
    readonly checkpointFile?: string | undefined
  }
}

/** A file that lines are appended to is nothing else: they would end in the middle of a database or behind a key. */
export function refuseSharedFiles(config: FilesOf, context: z.RefinementCtx): void {
  const { db, tenants, multitenancy, logging, audit } = config
  const others: readonly (readonly [key: string, file: string | undefined])[] = [
    ['db.path', fileOf(db)],
    ...Object.entries(tenants).map(([id, own]) => [`tenants.${id}.db.path`, own.db && fileOf(own.db)] as const),
    ...Object.entries(multitenancy.databases).map(
      ([name, one]) => [`multitenancy.databases.${name}.path`, fileOf(one)] as const
    ),
    ['audit.checkpointKeyFile', audit.checkpointKeyFile],
    ['audit.sealKeyFile', audit.sealKeyFile],
    ...audit.formerSealKeyFiles.map((file) => ['audit.formerSealKeyFiles', file] as const),
    ...madeKeys(config).map(({ section, file }) => [`${section}.keyFile`, file] as const)
  ]
  const used = new Map(others.flatMap(([key, file]) => (file === undefined ? [] : [[linkless(file), key] as const])))
  for (const [path, file] of [
    [['logging', 'file'], logging.file],
    [['audit', 'checkpointFile'], audit.checkpointFile]
  ] as const) {
    if (file === undefined) continue
    const other = used.get(linkless(file))
    if (other !== undefined)
      context.addIssue({ code: 'custom', path: [...path], message: `This is the file of ${other}. Name another one.` })
    used.set(linkless(file), path.join('.'))
  }
}

/** Where a database of SQLite is; others are in no file. */
function fileOf(db: object): string | undefined {
  return 'path' in db && typeof db.path === 'string' ? db.path : undefined
}
