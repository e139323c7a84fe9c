import { Option } from 'clipanion'
import { openImagePlaces, openStorage } from '../../src/app/databases.js'
import type { HubConfig } from '../../src/config/types.js'
import { type Moved, moveImages } from '../../src/records/images/move.js'
import { releaseImage } from '../../src/records/images/shown.js'
import { AnsweringCommand, counted, usage } from '../lib/command.js'
import { CliError, requireNone } from '../lib/errors.js'

export class ImagesMoveCommand extends AnsweringCommand {
  static override readonly usage = usage(['images move', 'migrate-avatars'], {
    description:
      'Move images of avatars to where the storage section keeps them: into the bucket, or back into the database',
    details: `
      With \`driver: s3\` they go from the database to the bucket, with \`driver: db\`, while the section still names the bucket,
      from there to the database. The hub shows all of them meanwhile, as long as it runs with the same section. Each is read
      back before it is deleted where it was; interrupted, it is run again. Those of each tenant are moved too.
    `,
    examples: [
      ['Look first', '$0 images move --dry-run'],
      ['Then move them', '$0 images move']
    ]
  })

  readonly dryRun = Option.Boolean('--dry-run', false, { description: 'Only tell what would be moved' })

  protected async run(): Promise<void> {
    const config = this.config()
    const { driver, place } = config.storage
    if (!place)
      throw new CliError('The storage section names no bucket: images are in the database, and stay there.', {
        help: ['See: server.yaml.example']
      })
    const { dryRun } = this
    const { bucket } = place
    const [from, to] =
      driver === 's3' ? ['the database', `the bucket ${bucket}`] : [`the bucket ${bucket}`, 'the database']
    const lines = ({ images, bytes, damaged }: Moved): readonly string[] => {
      const what = `${dryRun ? 'Would move' : 'Moved'} ${counted(images, 'image')} (${counted(bytes, 'byte')})`
      const said = `${images === 0 ? 'There is nothing to move' : what} from ${from} to ${to}.`
      return [said, ...damaged.map((sha256) => `Left where it is, since it is not what its name says: ${sha256}`)]
    }
    const moved = await this.#moved(config)
    const tenants = await this.eachTenant((own) => this.#moved(own))
    const told = tenants.flatMap((one) =>
      'failed' in one ? [] : lines(one).map((line) => `Tenant ${one.tenant}: ${line}`)
    )
    this.answer({ ...moved, from, to, dryRun, tenants }, ...lines(moved), ...told)
    requireNone(tenants.flatMap((one) => ('failed' in one ? [`Tenant ${one.tenant}: ${one.failed}`] : [])))
  }

  #moved(config: HubConfig): Promise<Moved> {
    return this.withLedger(async ({ storage, readModel }) => {
      const plain = await openStorage(config.db)
      const places = await openImagePlaces(plain, config.storage)
      try {
        if (!places) return { images: 0, bytes: 0, damaged: [] }
        const release = (sha256: string) => releaseImage({ storage, readModel }, sha256)
        return await moveImages({ from: places.other, to: places.home, dryRun: this.dryRun, release })
      } finally {
        await Promise.all([places?.close(), plain.close()])
      }
    }, config)
  }
}
