import { Option } from 'clipanion'
import { nameOf } from '../../commands/record.js'
import { collectionsTable } from '../../commands/records/collection/table.js'
import { kinds } from '../../commands/records/kinds.js'
import { requestsTable } from '../../commands/records/request/table.js'
import { type NamedRecord, namesInCollection, namesOfKind, pathOf } from '../../queries/names.js'
import { type RequestLine, requestLines } from '../../queries/records.js'
import type { Ledger } from '../../src/ledger/ledger.js'
import { maskedIn } from '../../src/trust/audit/mask.js'
import { LedgerCommand, usage } from '../lib/command.js'
import { existing } from '../lib/names.js'
import { recordId } from '../lib/record-names.js'

type Listed = RequestLine & { readonly folder: string }

export class RequestListCommand extends LedgerCommand {
  static override readonly usage = usage('request list', {
    description: 'List the saved requests of a collection, or of all collections',
    examples: [
      ['Of one, by its name', '$0 request list Payments'],
      ['For a script', '$0 request list Payments --json']
    ]
  })

  readonly named = Option.String({ name: 'collection', required: false })

  protected async on(ledger: Ledger): Promise<void> {
    const { readModel } = ledger
    const ids: string[] = []
    if (this.named !== undefined) ids.push(await recordId(ledger, 'collection', this.named, 'live'))
    else for await (const names of namesOfKind(readModel, 'collection')) ids.push(...names.map(({ id }) => id))
    const requests: Listed[] = []
    for (const id of ids) {
      const folders = byId(await namesInCollection(readModel, 'folder', id))
      const held: Listed[] = []
      for await (const page of requestLines(readModel, id))
        held.push(...page.map((line) => ({ ...line, folder: pathOf(folders, line.folderId) })))
      // Those of a folder stay in their order.
      for (const one of held.sort((a, b) => (a.folder < b.folder ? -1 : a.folder > b.folder ? 1 : 0)))
        requests.push(one)
    }
    if (this.json) return this.printJson({ requests })
    if (requests.length === 0)
      return this.print(this.named === undefined ? 'No requests found.' : `No requests found in ${this.named}.`)
    this.printList(
      ['id', 'method', 'folder', 'name', 'url'],
      requests.map(({ id, method, folder, name, url }) => [id, method, folder || '-', name, url]),
      requests.map(({ id, method, folder, name, url }) =>
        [id, method, folder === '' ? name : `${folder} / ${name}`, url].join('  ')
      )
    )
  }
}

export class RequestShowCommand extends LedgerCommand {
  static override readonly usage = usage('request show', {
    description: 'Show a saved request: where it is, and what it sends, as JSON',
    examples: [['By its name', '$0 request show "Create payment"']]
  })

  readonly named = Option.String({ name: 'request' })
  readonly reveal = Option.Boolean('--reveal', false, { description: 'Show the secrets of its auth block and headers' })

  protected async on(ledger: Ledger): Promise<void> {
    const { readModel } = ledger
    const id = await recordId(ledger, 'request', this.named, 'live')
    const row = await existing(readModel, requestsTable, id, `The request ${id} is deleted. See: hub deleted`)
    const kind = kinds.request
    const place = await readModel.placeOf(kind.sequence, requestsTable, row)
    const whole: unknown = JSON.parse(kind.record(row, place))
    const record = this.reveal ? whole : maskedIn(whole)
    if (this.json) return this.printJson(record)
    const collection = await readModel.get(collectionsTable, row.collectionId)
    const folders = byId(await namesInCollection(readModel, 'folder', row.collectionId))
    const folder = pathOf(folders, row.container === row.collectionId ? null : row.container)
    this.print(`collection: ${collection ? nameOf(collection) : '?'} (${row.collectionId})`, `folder: ${folder || '-'}`)
    this.printJson(record)
  }
}

function byId(records: readonly NamedRecord[]): ReadonlyMap<string, NamedRecord> {
  return new Map(records.map((record) => [record.id, record]))
}
