import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { Command, Option } from 'clipanion'
import { makeSealKey, readSealing } from '../src/audit/sealKey.js'
import { requireCurrentTables } from '../src/hub.js'
import { PLAIN, type Sealing } from '../src/log/chain.js'
import { ofThisRelease } from '../src/release.js'
import { changeSealing, seal, sealingInForce } from '../src/seal.js'
import type { Storage } from '../src/storage/storage.js'
import { AnsweringCommand } from './command.js'
import { CliError } from './errors.js'

export class AuditSealCommand extends AnsweringCommand {
  static override readonly paths = [['audit', 'seal']]
  static override readonly usage = Command.Usage({
    description: 'Seal the chain of the log with a key from here on, change the key, or stop sealing it',
    details: `
      Without options, a log that is not sealed is sealed with the key of \`audit.sealKeyFile\`, which is made where there
      is none. With \`--new-key-file\` the key is changed: an event that is sealed with the key until now announces the
      new one. Then name the new file as \`audit.sealKeyFile\` and the old one under \`audit.formerSealKeyFiles\`, and
      reload every hub: those that run refuse to write until they have the new key.
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
    const config = this.config()
    const { audit } = config
    const file = audit.sealKeyFile
    if (file === undefined) throw new CliError('The configuration has no audit.sealKeyFile.')
    if (this.off && this.newKeyFile !== undefined) throw new CliError('Give --new-key-file or --off, not both.')
    await this.withStorage(async (opened) => {
      const storage = ofThisRelease(opened)
      await requireCurrentTables(opened)
      const before = await sealingInForce(storage, file)
      if (this.off || this.newKeyFile !== undefined) await this.#change(storage, before)
      else if (before)
        this.answer({ keyId: before.keyId, position: null }, `The log is sealed with the key ${before.keyId}.`)
      else {
        await this.compareClock(storage)
        const { sealing, position } = await seal(storage, file, Date.now)
        const from = `From position ${position + 1} on the log is sealed with the key ${sealing.keyId}.`
        this.answer({ keyId: sealing.keyId, position }, from)
      }
    }, config)
  }

  async #change(storage: Storage, before: Sealing | null): Promise<void> {
    if (!before) throw new CliError('The log is not sealed. Run `hub audit seal` first.')
    await this.compareClock(storage)
    const after = this.#next()
    if (after.keyId === before.keyId) throw new CliError('The new key is the one in force.')
    const position = await changeSealing(storage, before, after, Date.now)
    const from = `From position ${position + 1} on the log is sealed with`
    const former = 'put the file of the key until now under audit.formerSealKeyFiles, and reload every hub.'
    const [how, next] =
      this.newKeyFile === undefined
        ? ['no key', 'Remove audit.sealKeyFile,']
        : [`the key ${after.keyId}`, `Name ${resolve(this.newKeyFile)} as audit.sealKeyFile,`]
    this.answer({ keyId: after.keyId, position }, `${from} ${how}.`, `${next} ${former}`)
  }

  #next(): Sealing {
    if (this.newKeyFile === undefined) return PLAIN
    const file = resolve(this.newKeyFile)
    if (!existsSync(file)) makeSealKey(file)
    return readSealing(file)
  }
}
