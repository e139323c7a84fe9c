import { existsSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { Option } from 'clipanion'
import { systemEditor } from '../../commands/people/user/system.js'
import { editorOrigin } from '../../src/ledger/ledger.js'
import { writeOut } from '../../src/lib/files.js'
import { LIMITS } from '../../src/limits.js'
import { exportCollection } from '../../src/records/export/export.js'
import { EXPORT_FORMATS, isArchive } from '../../src/records/export/exported.js'
import type { Note } from '../../src/records/formats/model.js'
import { carryOut, type ImportReport, planImport } from '../../src/records/import/import.js'
import { IMPORT_FORMATS, type Imported, type ImportFormat, requireOnePart } from '../../src/records/import/imported.js'
import { knownTo } from '../../src/records/import/known.js'
import type { PlannedChange } from '../../src/records/import/plan.js'
import { readInThread } from '../../src/records/import/thread.js'
import { AnsweringCommand, counted, HubCommand, usage, YES_HELP } from '../lib/command.js'
import { CliError } from '../lib/errors.js'
import { oneOfValue } from '../lib/option-values.js'
import { recordId } from '../lib/record-names.js'

export class CollectionImportCommand extends AnsweringCommand {
  static override readonly usage = usage('collection import', {
    description: 'Import a collection from a file of another tool; first say what comes of it',
    details: `
      Takes collections of Postman (1, 2.0, 2.1, directories of 3.0 and data dumps), OpenAPI 3 and Swagger 2, Insomnia
      (4 and 5), Bruno, OpenCollection and HarborClient (a folder as a zip archive, or one file), HTTP Archives, and
      lines that call curl, with their environments; a file of environments makes these alone. Nothing that a file refers
      to is opened or fetched.
      With --into the same source can be imported again: what has changed in it is updated, what is new is added, and what
      somebody has changed here stays, and is named.
    `,
    examples: [
      ['What would come of it', '$0 collection import payments.postman_collection.json --preview'],
      ['Bring a collection up to date', '$0 collection import openapi.yaml --into Payments --prune']
    ]
  })

  readonly file = Option.String({ name: 'file' })
  readonly format = Option.String('--format', {
    description: `<FORMAT> One of ${IMPORT_FORMATS.join(', ')}; told from the content by default`
  })
  readonly part = Option.String('--part', {
    description: '<PART> Which of several things in the file, by its id or name; --preview without it lists them'
  })
  readonly into = Option.String('--into', {
    description: '<COLLECTION> The collection that it goes into, by its id or name; a new one by default'
  })
  readonly preview = Option.Boolean('--preview', false, { description: 'Only say what would come of it' })
  readonly overwrite = Option.Boolean('--overwrite', false, {
    description: 'Also replace what somebody has changed or deleted here since the last import'
  })
  readonly prune = Option.Boolean('--prune', false, {
    description: 'Delete what an earlier import of this source brought and the file has no more'
  })
  readonly yes = Option.Boolean('--yes', false, { description: YES_HELP })

  protected async run(): Promise<void> {
    const format = this.format === undefined ? undefined : oneOfValue('--format', this.format, IMPORT_FORMATS)
    const bytes = await fileBytes(this.file)
    const imported = await this.read(bytes, format)
    return this.withLedger(async (ledger) => {
      const into = this.into === undefined ? null : await recordId(ledger, 'collection', this.into, 'live')
      const { overwrite, prune } = this
      const planned = await planImport(ledger, systemEditor, imported, { into, overwrite, prune })
      const known = into === null ? await knownTo(ledger, systemEditor, imported) : []
      for (const { id, name } of known)
        this.warn(`This source was imported into ${name} before: --into ${id} brings that up to date.`)
      if (this.preview) return this.tell(planned.report, true)
      if (!this.json) this.tell(planned.report, true)
      if (!planned.changesAnything) return this.json ? this.tell(planned.report, false) : undefined
      await this.confirm('Import this?', this.yes)
      const report = await carryOut(ledger, editorOrigin, planned)
      if (this.json) return this.tell(report, false)
      const { id, name } = report.collection
      this.print(id === null ? 'Imported.' : `Imported into ${name} (${id}).`)
      this.print(`To take it back: hub undo --event ${report.position}`)
    })
  }

  /** The part of the file that is meant, by its id or else by its name. */
  private async read(bytes: Uint8Array, format: ImportFormat | undefined): Promise<Imported> {
    const { import: bounds } = this.config()
    const first = await readInThread(bytes, { format, bounds })
    if (this.part === undefined) {
      if (!this.preview) requireOnePart(first)
      return first
    }
    const { part } = this
    const named = first.parts.filter(({ id, name }) => id === part || name === part)
    const [one] = named
    if (!one || named.length > 1)
      throw new CliError(`${one ? 'Several parts are' : 'No part is'} called ${part}. --preview lists them.`)
    return one.id === first.part ? first : readInThread(bytes, { format, part: one.id, bounds })
  }

  private tell(report: ImportReport, preview: boolean) {
    if (this.json) return this.printJson({ preview, ...report })
    const { format, parts, counts, changes, notes } = report
    if (this.part === undefined && parts.length > 1)
      this.print(...parts.map(({ id, name, brings }) => `part     ${brings} ${name}  (--part ${JSON.stringify(id)})`))
    this.print(`${targetOf(report)}, from ${format}:`)
    this.print(...changes.map(changeLine))
    const told = Object.entries(counts).filter(([, count]) => count > 0)
    this.print(told.length === 0 ? 'Nothing is in it.' : told.map(([what, count]) => `${count} ${what}`).join(', '))
    this.warn(...noteLines(notes))
  }
}

function targetOf({ brings, collection: { id, name } }: ImportReport): string {
  if (brings === 'environments') return 'Environments'
  return `${id === null ? 'A new collection' : 'Into the collection'} ${name}`
}

const WORDS: Readonly<Record<PlannedChange['change'], string>> = {
  create: 'new     ',
  update: 'changed ',
  delete: 'deleted ',
  conflict: 'kept    ',
  gone: 'stays   '
}

function changeLine({ change, kind, name, path, fields, reason }: PlannedChange): string {
  const place = [...path, name].join(' / ')
  return `${WORDS[change]}  ${kind} ${place}${fields ? `  (${fields.join(', ')})` : ''}${reason ? `: ${reason}` : ''}`
}

function noteLines(notes: readonly Note[]): readonly string[] {
  return notes.map(({ what, count, places }) => {
    const more = count > places.length ? `, and ${count - places.length} more` : ''
    return `Note: ${what} ${places.join('; ')}${more}`
  })
}

async function fileBytes(path: string): Promise<Uint8Array> {
  if (!existsSync(path)) throw new CliError(`There is no file ${path}.`)
  const found = await stat(path)
  if (!found.isFile()) throw new CliError(`${path} is no file. Of a directory, give a zip archive.`)
  const { max } = LIMITS.contentBodyMost
  if (found.size > max) throw new CliError(`${path} is larger than ${max} bytes.`)
  return Uint8Array.from(await readFile(path))
}

export class CollectionExportCommand extends HubCommand {
  static override readonly usage = usage('collection export', {
    description: 'Write a collection as a file of another tool; what that has no place for is told on stderr',
    examples: [['For Postman', '$0 collection export Payments --format postman --output payments.json']]
  })

  readonly named = Option.String({ name: 'collection' })
  readonly format = Option.String('--format', {
    required: true,
    description: `<FORMAT> One of ${EXPORT_FORMATS.join(', ')}`
  })
  readonly output = Option.String('--output', { description: '<FILE> Where it goes; stdout by default' })

  protected run(): Promise<void> {
    const format = oneOfValue('--format', this.format, EXPORT_FORMATS)
    if (this.output !== undefined) this.requireFile(this.output)
    return this.withLedger(async (ledger) => {
      const id = await recordId(ledger, 'collection', this.named, 'live')
      const { bytes, contentType, notes } = await exportCollection(ledger, id, { format })
      if (this.output === undefined) {
        if (contentType.startsWith('application/json')) this.printDocument(JSON.parse(Buffer.from(bytes).toString()), 2)
        else if (!isArchive(format)) this.context.stdout.write(bytes)
        else if (this.isTerminal) throw new CliError('A zip archive is not for a terminal. Add --output FILE.')
        else this.context.stdout.write(bytes)
      } else {
        // It may hold secrets, as the collection may.
        await writeOut(this.output, (path) => writeFile(path, bytes))
        this.warn(`Wrote ${counted(bytes.length, 'byte')} to ${this.output}.`)
      }
      this.warn(...noteLines(notes))
    })
  }
}
