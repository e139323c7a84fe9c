import { Command } from 'clipanion'
import { versions } from '../projections/index.js'
import { liveProjections } from '../src/rebuild.js'
import { AnsweringCommand } from './command.js'

/** `hub projections list`: the read tables, what they were built with, and what this version would build. */
export class ProjectionsListCommand extends AnsweringCommand {
  static override readonly paths = [['projections', 'list']]
  static override readonly usage = Command.Usage({
    category: 'Projections',
    description: 'List the read tables with the versions of their projectors'
  })

  protected run(): Promise<void> {
    return this.withStorage(async (storage) => {
      const { built, generation } = await liveProjections(storage)
      const tables = Object.entries(versions).map(([table, version]) => ({
        table,
        version,
        built: built[table] ?? null
      }))
      if (this.json) return this.printJson({ generation, tables })
      this.print(`Generation ${generation}`)
      for (const { table, version, built } of tables) {
        this.print(
          `  ${table}: version ${version}${built === version ? '' : `, built with ${built ?? 'none'}: run hub migrate`}`
        )
      }
    })
  }
}
