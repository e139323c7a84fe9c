import { type Check, ok } from './check.js'
import type { ContentPorts } from './doctorPorts.js'
import { failingTasks } from './tasks.js'

/** What a hub does again and again in the background works: nothing has failed more than once in a row. */
export const tasks: Check<ContentPorts> = {
  name: 'tasks',
  isAboutContents: true,
  async run({ storage }) {
    const { state } = await storage()
    const failing = Object.entries(await failingTasks(state)).filter(([, { times }]) => times > 1)
    if (failing.length === 0) return ok('No regular task has failed again and again.')
    return failing.map(([subject, { times, since, why }]) => ({
      subject,
      state: 'warning',
      text: `This task has failed ${times} times in a row, since ${since}.`,
      detail: why,
      advice:
        'See the log of the hub. A file that another account made, as root may have, is given to that of the hub by chown.'
    }))
  }
}
