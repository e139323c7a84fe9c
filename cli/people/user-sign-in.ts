import { randomUUID } from 'node:crypto'
import { Option } from 'clipanion'
import { z } from 'zod'
import { identitiesTable } from '../../commands/people/identity/table.js'
import { type Ledger, systemOrigin } from '../../src/ledger/ledger.js'
import { keyFound } from '../../src/signIn/subject.js'
import { LedgerCommand, usage } from '../lib/command.js'
import { CliError, UsageError } from '../lib/errors.js'
import { changeableUser, userNamed } from '../lib/names.js'
import { block } from '../lib/table.js'

const kept = z.object({
  id: z.string(),
  provider: z.string(),
  issuer: z.string(),
  subject: z.string(),
  name: z.string(),
  boundAt: z.string()
})

export class UserSignInListCommand extends LedgerCommand {
  static override readonly usage = usage('user sign-in list', {
    description: 'List the providers that an account signs in with',
    examples: [['Those of one account', '$0 user sign-in list ada']]
  })

  readonly named = Option.String({ name: 'user' })

  protected async on({ readModel }: Ledger): Promise<void> {
    const { id } = await userNamed(readModel, this.named)
    const rows = await readModel.list(identitiesTable, 'byUser', [id])
    if (this.json) return this.printJson({ signIns: rows.map(({ body }) => JSON.parse(body)) })
    if (rows.length === 0) return this.print('No sign-ins found.')
    const bound = rows.map(({ body }) => kept.parse(JSON.parse(body)))
    this.printList(
      ['id', 'provider', 'subject', 'name', 'bound'],
      bound.map(({ id, provider, subject, name, boundAt }) => [id, provider, subject, name, boundAt]),
      bound.flatMap(({ boundAt, ...one }) => block({ ...one, bound: boundAt }))
    )
  }
}

export class UserSignInBindCommand extends LedgerCommand {
  static override readonly usage = usage('user sign-in bind', {
    description: 'Have somebody at a provider sign in as an account',
    details: 'The subject is what the provider knows them by (the claim `sub`), never a mail address.',
    examples: [['By the id of the provider', '$0 user sign-in bind ada --provider company --subject 248289761001']]
  })

  readonly named = Option.String({ name: 'user' })
  readonly provider = Option.String('--provider', { description: '<PROVIDER> Its id in the configuration' })
  readonly person = Option.String('--subject', { description: '<SUBJECT> What it knows them by' })

  protected async on(ledger: Ledger): Promise<void> {
    const { provider, person: subject } = this
    if (!provider || !subject) throw new UsageError('Options --provider and --subject are required.')
    const issuer = this.config().signIn?.providers.find(({ id }) => id === provider)?.issuer
    if (issuer === undefined) throw new CliError(`No provider has the id "${provider}" in the configuration.`)
    const { id: userId, name } = await changeableUser(ledger, this.named)
    const id = randomUUID()
    const key = await keyFound(ledger.readModel, { issuer, subject })
    const bound = { provider, issuer, subject, name: subject, key }
    await ledger.run({ type: 'BindIdentity', id, userId, subject: bound }, systemOrigin)
    this.answer({ userId, ...bound, key: undefined }, `${subject} at ${provider} signs in as "${name}" (${userId}).`)
  }
}

export class UserSignInUnbindCommand extends LedgerCommand {
  static override readonly usage = usage('user sign-in unbind', {
    description: 'Let go of a provider that an account signs in with; its sessions end',
    examples: [['By the id that the list shows', '$0 user sign-in unbind 3f9a52c4-0d1e-4c3a-9d53-7f0f7a2b1c11']]
  })

  readonly signIn = Option.String({ name: 'sign-in' })

  protected async on(ledger: Ledger): Promise<void> {
    await ledger.run({ type: 'UnbindIdentity', id: this.signIn }, systemOrigin)
    this.answer({ id: this.signIn, unbound: true }, `Unbound sign-in ${this.signIn}.`)
  }
}
