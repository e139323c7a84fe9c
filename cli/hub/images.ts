import { Option } from 'clipanion'
import { openImagePlaces, openStorage } from '../../src/app/hub.js'
import { moveImages } from '../../src/records/images/move.js'
import { releaseImage } from '../../src/records/images/shown.js'
import { AnsweringCommand, counted, usage } from '../lib/command.js'
import { CliError } from '../lib/errors.js'

export class ImagesMoveCommand extends AnsweringCommand {
  static override readonly usage = usage(['images move', 'migrate-avatars'], {
    description:
      'Move images of avatars to where the storage section keeps them: into the bucket, or back into the database',
    details: `
      With \`driver: s3\` they go from the database to the bucket, with \`driver: db\`, while the section still names the bucket,
      from there to the database. The hub shows all of them meanwhile, as long as it runs with the same section. Each is read
      back before it is deleted where it was; interrupted, it is run again.
    `,
    examples: [
      ['Look first', '$0 images move --dry-run'],
      ['Then move them', '$0 images move']
    ]
  })

  readonly dryRun = Option.Boolean('--dry-run', false, { description: 'Only tell what would be moved' })

  protected async run(): Promise<void> {
    const { db, storage: config } = this.config()
    if (!config.place)
      throw new CliError('The storage section names no bucket: images are in the database, and stay there.', {
        help: ['See: server.yaml.example']
      })
    const { bucket } = config.place
    const [from, to] =
      config.driver === 's3' ? ['the database', `the bucket ${bucket}`] : [`the bucket ${bucket}`, 'the database']
    await this.withLedger(async ({ storage, readModel }) => {
      const { dryRun } = this
      const plain = await openStorage(db)
      const places = await openImagePlaces(plain, config)
      try {
        if (!places) return
        const release = (sha256: string) => releaseImage({ storage, readModel }, sha256)
        const moved = await moveImages({ from: places.other, to: places.home, dryRun, release })
        const { images, bytes, damaged } = moved
        const what = `${dryRun ? 'Would move' : 'Moved'} ${counted(images, 'image')} (${bytes} bytes)`
        const said = `${images === 0 ? 'There is nothing to move' : what} from ${from} to ${to}.`
        const left = damaged.map((sha256) => `Left where it is, since it is not what its name says: ${sha256}`)
        this.answer({ ...moved, from, to, dryRun }, said, ...left)
      } finally {
        await Promise.all([places?.close(), plain.close()])
      }
    })
  }
}
