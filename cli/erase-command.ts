import { Option } from 'clipanion'
import { carryOut, type Plan } from '../src/erasure/erase.js'
import type { Ledger } from '../src/ledger.js'
import { AnsweringCommand } from './command.js'

/** A command that erases for ever, once it is told `--yes`; without it, it says what it would erase. */
export abstract class EraseCommand extends AnsweringCommand {
  readonly yes = Option.Boolean('--yes', false, { description: 'Do it; without this, only say what would be erased' })

  protected async erase(ledger: Ledger, plan: Plan): Promise<void> {
    if (this.yes) await carryOut(ledger, plan)
    const [payloads, names] = [plan.payloads.length, plan.names.length + (plan.mentions?.length ?? 0)]
    if (this.json) return this.printJson({ kind: plan.kind, id: plan.id, payloads, names, erased: this.yes })
    const what = `${payloads} payloads and ${names} names and addresses`
    this.print(this.yes ? `Erased ${what}.` : `Would erase ${what}, for ever. Add --yes to do it.`)
  }
}
