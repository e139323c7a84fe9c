import { Option } from 'clipanion'
import { collectionsTable } from '../../projections/collections.js'
import { nameOf } from '../../projections/record.js'
import { type Sharing, sharingOf } from '../../queries/sharing.js'
import type { Ledger } from '../../src/ledger/ledger.js'
import { LedgerCommand, usage } from '../lib/command.js'
import { existing } from '../lib/names.js'
import { recordId } from '../lib/record-names.js'
import { block } from '../lib/table.js'

export class CollectionAccessCommand extends LedgerCommand {
  static override readonly usage = usage('collection access', {
    description: 'List who may see a collection, what they may do with it, and why',
    details:
      'By name, each with the highest that they may: by an access list, by what was granted to them, or through a group. Administrators, who have all, are not among them.',
    examples: [
      ['By its name', '$0 collection access Payments'],
      ['For a program', '$0 collection access Payments --json']
    ]
  })

  readonly named = Option.String({ name: 'collection' })

  protected async on(ledger: Ledger): Promise<void> {
    const { readModel } = ledger
    const id = await recordId(ledger, 'collection', this.named, 'live')
    const row = await existing(readModel, collectionsTable, id, `The collection ${id} is deleted. See: hub deleted`)
    const sharing = await sharingOf(readModel, 'collection', id)
    if (this.json) return this.printJson({ id, name: nameOf(row), sharing })
    if (sharing.length === 0) return this.print('Nobody has this collection but administrators.')
    this.printList(
      ['id', 'role', 'why', 'name'],
      sharing.map((one) => [one.userId, one.role, whyOf(one), one.name]),
      sharing.flatMap((one) => block({ id: one.userId, name: one.name, role: one.role, why: whyOf(one) }))
    )
  }
}

/** By what somebody has a record. */
function whyOf({ by, group }: Sharing): string {
  if (by === 'group') return `through group ${group}`
  return by === 'list' ? 'by their access list' : 'granted to them'
}
