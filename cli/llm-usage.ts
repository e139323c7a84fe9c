import { Command, Option } from 'clipanion'
import { nameOf } from '../commands/named.js'
import { usersTable } from '../projections/users.js'
import { listLlmUsage, usageDifferences } from '../queries/llm.js'
import { AnsweringCommand } from './command.js'
import { CliError } from './errors.js'

/** `hub llm usage`: what each account has used in each month; with `--verify`, the proof that it is the sum of the log. */
export class LlmUsageCommand extends AnsweringCommand {
  static override readonly paths = [['llm', 'usage']]
  static override readonly usage = Command.Usage({
    category: 'LLM',
    description: 'Show the LLM tokens that each account has used by month'
  })

  readonly month = Option.String('--month', { description: 'Only this UTC month, as YYYY-MM' })
  readonly verify = Option.Boolean('--verify', false, {
    description: 'Compare with the sum of the usage log; exit 1 when any month differs'
  })

  protected run(): Promise<void> {
    return this.withLedger(async ({ view }) => {
      if (this.verify) return this.#report(await usageDifferences(view))
      const usage = await listLlmUsage(view, this.month)
      if (this.json) return this.printJson({ usage })
      if (usage.length === 0) return this.print('No LLM usage records found.')
      const users = await view.getAll(usersTable, [...new Set(usage.map(({ userId }) => userId))])
      const names = new Map(users.map((row) => [row.id, nameOf(row)]))
      for (const { userId, period, promptTokens, completionTokens, totalTokens } of usage) {
        const person = names.has(userId) ? `${names.get(userId)} (${userId})` : userId
        this.print(
          `${period}  ${person}  ${totalTokens} tokens (${promptTokens} prompt, ${completionTokens} completion)`
        )
      }
    })
  }

  #report(differences: Awaited<ReturnType<typeof usageDifferences>>): void {
    if (this.json) this.printJson({ equal: differences.length === 0, differences })
    else {
      for (const { userId, period, rollup, log } of differences) {
        this.print(`DIFF ${period} ${userId}: rollup ${rollup}, log ${log}`)
      }
    }
    if (differences.length > 0) throw new CliError('The monthly usage differs from the sum of the usage log.')
    if (!this.json) this.print('The monthly usage equals the sum of the usage log.')
  }
}
