import { randomUUID } from 'node:crypto'
import { Option } from 'clipanion'
import { openThrottle } from '../../src/app/databases.js'
import { systemOrigin } from '../../src/ledger/ledger.js'
import { scopedThrottle } from '../../src/throttle/scoped.js'
import { blockedAddresses, type FailuresWith, type Throttle, unblock } from '../../src/throttle/throttle.js'
import { AnsweringCommand, closing, counted, usage } from '../lib/command.js'
import { CliError, UsageError } from '../lib/errors.js'

const WITH: Readonly<Record<FailuresWith, string>> = {
  oneSecret: 'one token',
  anySecret: 'several tokens',
  invitations: 'invitations'
}

abstract class ThrottleCommand extends AnsweringCommand {
  /** Works with the store of the configuration. Throws a `CliError` where only the server has it. */
  protected async withThrottle(instead: string, work: (throttle: Throttle) => Promise<void>): Promise<void> {
    const config = this.config()
    if (config.redis.driver === 'memory')
      throw new CliError(
        'Failed authentications are counted in the memory of the running hub (redis.driver is memory), out of reach from here.',
        { help: [`Ask the hub, with an administrator's token: ${instead}`] }
      )
    const { subject } = this
    await closing(openThrottle(config), (throttle) =>
      work(subject === null ? throttle : scopedThrottle(throttle, subject))
    )
  }
}

export class ThrottleListCommand extends ThrottleCommand {
  static override readonly usage = usage('throttle list', {
    description: 'List the addresses that are blocked for failed authentications, and for how long',
    examples: [['All of them', '$0 throttle list']]
  })

  protected run(): Promise<void> {
    return this.withThrottle('GET /admin/throttle', async (throttle) => {
      const blocks = await blockedAddresses(throttle)
      if (this.json) return this.printJson({ blocks })
      if (blocks.length === 0) return this.print('Nobody is blocked.')
      this.printList(
        ['address', 'after failures with', 'seconds left'],
        blocks.map(({ address, failuresWith, seconds }) => [address, WITH[failuresWith], String(seconds)]),
        blocks.map(
          ({ address, failuresWith, seconds }) => `${address}  failures with ${WITH[failuresWith]}  ${seconds} s left`
        )
      )
    })
  }
}

export class ThrottleClearCommand extends ThrottleCommand {
  static override readonly usage = usage('throttle clear', {
    description: 'Let an address that is blocked try again at once; the log tells of it',
    examples: [
      ['One address', '$0 throttle clear 203.0.113.9'],
      ['Everybody', '$0 throttle clear --all']
    ]
  })

  readonly address = Option.String({ name: 'address', required: false })
  readonly all = Option.Boolean('--all', false, { description: 'Everybody who is blocked' })

  protected run(): Promise<void> {
    const { address, all } = this
    if ((address === undefined) !== all)
      throw new UsageError('Give the address to let in again, or --all.', { help: ['See: hub throttle clear --help'] })
    return this.withThrottle(`DELETE /admin/throttle/${address ?? 'ADDRESS'}`, (throttle) =>
      this.withLedger(async (ledger) => {
        const blocks = await unblock(throttle, address ?? null)
        if (blocks === 0 && address !== undefined)
          throw new CliError(`${address} is not blocked. See: hub throttle list`)
        const searched = address === undefined ? undefined : { address }
        const told = { type: 'RecordLoginsUnblocked', id: randomUUID(), data: { blocks } } as const
        if (blocks > 0) await ledger.run(told, { ...systemOrigin, searched })
        this.answer(
          { address: address ?? null, blocks },
          blocks === 0 ? 'Nobody is blocked.' : `Lifted ${counted(blocks, 'block')}.`
        )
      })
    )
  }
}
