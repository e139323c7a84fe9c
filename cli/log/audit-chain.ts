import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { Option } from 'clipanion'
import { requireCurrentTables } from '../../src/app/databases.js'
import type { HubConfig } from '../../src/config/types.js'
import { ofThisRelease } from '../../src/ledger/release.js'
import { makeKey } from '../../src/lib/keyFile.js'
import { PLAIN, type Sealing } from '../../src/log/chain.js'
import { guardedBy } from '../../src/log/headGuard.js'
import type { Storage } from '../../src/storage/storage.js'
import { checkpointsIn, signCheckpoint, signingKey } from '../../src/trust/audit/checkpoint.js'
import { exposedKeys, readKeyring, readSealing } from '../../src/trust/audit/sealKey.js'
import { type ChainReport, type Checkpoint, verifyChain } from '../../src/trust/audit/verify.js'
import { changeSealing, seal, sealingInForce } from '../../src/trust/seal.js'
import { AnsweringCommand, counted, HubCommand, type LookedAt, requireName, usage } from '../lib/command.js'
import { CliError, requireNone, UsageError } from '../lib/errors.js'
import { progressLine } from '../lib/progress.js'

export class AuditVerifyCommand extends AnsweringCommand {
  static override readonly usage = usage('audit verify', {
    description:
      'Compute the chain of the whole log again; exit 1 and name the first bad position when it does not hold',
    details: `
      Where \`audit.sealKeyFile\` names the key of the chain, nobody without the key can have appended, changed or cut
      off anything. What \`hub audit checkpoint\` printed, the file of \`audit.checkpointFile\`, what a witness has kept
      or the output of \`--json\` are checkpoints: \`--checkpoint FILE\` finds a log that was written anew, cut off or
      put back since then, also by somebody who has the key. A hub may be running meanwhile. Of a hub with tenants the log
      of each is looked at too; checkpoints are of the one log that the command names.
    `,
    examples: [['With everything', '$0 audit verify --checkpoint checkpoints.ndjson --checkpoint witness.ndjson']]
  })

  readonly checkpoint = Option.Array('--checkpoint', [], {
    description: '<FILE> A file with checkpoints, one a line; can be repeated'
  })
  readonly publicKey = Option.String('--public-key', {
    description: '<KEY> Believe only checkpoints that are signed with this key'
  })

  protected async run(): Promise<void> {
    const config = this.config()
    const { audit } = config
    const checkpoints: Checkpoint[] = []
    for (const file of this.checkpoint) {
      const there = statSync(file, { throwIfNoEntry: false })
      if (!there) throw new CliError(`File not found: ${file}`)
      if (there.isDirectory()) throw new CliError(`${file} is a directory. Name a file in it.`)
      const found = await checkpointsIn(file, this.publicKey)
      if (found.length === 0) throw new CliError(`${file} cannot be used as a checkpoint. It is empty.`)
      checkpoints.push(...found)
    }
    for (const file of exposedKeys(audit)) this.warn(`Warning: ${file} can be read by others. Run chmod 600 on it.`)
    const report = await this.#verified(config, checkpoints)
    const tenants = await this.eachTenant((own) => this.#verified(own, []))
    const own = report.bad ? [] : lines(report, checkpoints)
    const document = { ...report, checkpoints: checkpoints.length, tenants }
    this.answer(document, ...own, ...tenants.flatMap(tenantLines))
    requireNone([...(report.bad ? [fault(report.bad)] : []), ...tenants.flatMap(tenantFault)])
  }

  #verified(config: HubConfig, checkpoints: readonly Checkpoint[]): Promise<ChainReport> {
    return this.withStorage(async (storage) => {
      const bar = progressLine(this.context.stderr, 'Verifying', (await storage.head()).position)
      const keys = readKeyring(config.audit)
      return verifyChain(storage, { checkpoints, keys, progress: bar.at }).finally(bar.done)
    }, config)
  }
}

function fault({ position, reason }: NonNullable<ChainReport['bad']>): string {
  return `Position ${position}: ${reason}`
}

function tenantFault(one: LookedAt<ChainReport>): readonly string[] {
  if ('failed' in one) return [`Tenant ${one.tenant}: ${one.failed}`]
  return one.bad ? [`Tenant ${one.tenant}: ${fault(one.bad)}`] : []
}

function tenantLines(one: LookedAt<ChainReport>): readonly string[] {
  if ('failed' in one || one.bad) return []
  const [held = '', sealed = ''] = lines(one, [])
  return [`Tenant ${one.tenant}: ${held}${one.sealed ? ` ${sealed}` : ''}`]
}

function lines({ position, chain, sealed }: ChainReport, checkpoints: readonly Checkpoint[]): readonly string[] {
  const last = checkpoints.reduce((most, one) => Math.max(most, one.position), 0)
  return [
    `The chain holds: ${counted(position, 'event')}, ${chain}.`,
    sealed
      ? `It is sealed with the key ${sealed.keyId} from position ${sealed.from} on.`
      : 'It is not sealed with a key: who can write the database can have written anything behind the last checkpoint.',
    checkpoints.length > 0
      ? `It was held against ${counted(checkpoints.length, 'checkpoint')}, the last of position ${last}.`
      : 'It was held against no checkpoint: an older state that was put back as a whole does not show.'
  ]
}

export class AuditCheckpointCommand extends HubCommand {
  static override readonly usage = usage('audit checkpoint', {
    description: 'Print where the log ends, signed with Ed25519, to be kept somewhere else',
    details: `
      The key is that of \`audit.checkpointKeyFile\`, made where there is none. \`hub audit verify --checkpoint FILE\`
      later proves that nothing up to there was changed or cut off; \`--public-key\` says whose signature is believed.
    `,
    examples: [['Keep one', '$0 audit checkpoint >> checkpoints.ndjson']]
  })

  protected run(): Promise<void> {
    const key = signingKey(this.config().audit.checkpointKeyFile)
    return this.withLedger(async ({ storage }) => {
      this.printDocument(signCheckpoint(await storage.head(), key, new Date().toISOString()))
    })
  }
}

export class AuditSealCommand extends AnsweringCommand {
  static override readonly usage = usage('audit seal', {
    description: 'Seal the chain of the log with a key from here on, change the key, or stop sealing it',
    details: `
      Without options, a log that is not sealed is sealed with the key of \`audit.sealKeyFile\`, which is made where there
      is none. With \`--new-key-file\` the key is changed: an event that is sealed with the key until now announces the
      new one, in the log of each tenant too. Then name the new file as \`audit.sealKeyFile\` and the old one under
      \`audit.formerSealKeyFiles\`, and reload every hub: those that run refuse to write until they have the new key.
    `,
    examples: [
      ['Begin', '$0 audit seal'],
      ['Change the key', '$0 audit seal --new-key-file seal-key-2']
    ]
  })

  readonly newKeyFile = Option.String('--new-key-file', {
    description: '<FILE> The file of the key from here on, made where there is none'
  })
  readonly off = Option.Boolean('--off', false, { description: 'Seal with no key from here on' })

  protected async run(): Promise<void> {
    if (this.newKeyFile !== undefined) requireName(this.newKeyFile)
    const config = this.config()
    const file = config.audit.sealKeyFile
    if (file === undefined) throw new CliError('The configuration has no audit.sealKeyFile.')
    if (this.off && this.newKeyFile !== undefined) throw new UsageError('Give --new-key-file or --off, not both.')
    const own = await this.#sealed(config, file)
    const tenants = await this.eachTenant((one) => this.#sealed(one, file))
    const said = tenants.flatMap((one) => ('failed' in one ? [] : [`Tenant ${one.tenant}: ${sealedLine(one)}`]))
    this.answer({ ...own, tenants }, sealedLine(own), ...said, ...this.#advice())
    requireNone(tenants.flatMap((one) => ('failed' in one ? [`Tenant ${one.tenant}: ${one.failed} ${AGAIN}`] : [])))
  }

  /** Seals one log as the options say. */
  #sealed(config: HubConfig, file: string): Promise<SealedFrom> {
    return this.withStorage(async (opened) => {
      const storage = guardedBy(opened, ofThisRelease())
      await requireCurrentTables(opened)
      const before = await sealingInForce(storage, file)
      if (this.off || this.newKeyFile !== undefined) return this.#changed(storage, before, config)
      if (before) return { keyId: before.keyId, position: null }
      const { sealing, position } = await this.telling(storage, config, (told) => seal(told, file, Date.now))
      return { keyId: sealing.keyId, position }
    }, config)
  }

  async #changed(storage: Storage, before: Sealing | null, config: HubConfig): Promise<SealedFrom> {
    if (!before) throw new CliError('The log is not sealed. Run `hub audit seal` first.')
    return this.telling(storage, config, async (told) => {
      const after = this.#next()
      if (after.keyId === before.keyId) throw new CliError('The new key is the one in force.')
      return { keyId: after.keyId, position: await changeSealing(told, before, after, Date.now) }
    })
  }

  #next(): Sealing {
    if (this.newKeyFile === undefined) return PLAIN
    const file = resolve(this.newKeyFile)
    if (!existsSync(file)) makeKey(file)
    return readSealing(file)
  }

  #advice(): readonly string[] {
    const former = 'put the file of the key until now under audit.formerSealKeyFiles, and reload every hub.'
    if (this.off) return [`Remove audit.sealKeyFile, ${former}`]
    return this.newKeyFile === undefined ? [] : [`Name ${resolve(this.newKeyFile)} as audit.sealKeyFile, ${former}`]
  }
}

/** The key of a log, and the event that announces it; null where it was in force before. */
interface SealedFrom {
  readonly keyId: string | null
  readonly position: number | null
}

function sealedLine({ keyId, position }: SealedFrom): string {
  const how = keyId === null ? 'no key' : `the key ${keyId}`
  return position === null
    ? `The log is sealed with ${how}.`
    : `From position ${position + 1} on the log is sealed with ${how}.`
}

const AGAIN = 'Before the configuration is another one, run this again with --tenant.'
