import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Database servers refuse to run as root, so root runs them as the first of these accounts that there is. */
export async function unprivilegedUser(
  names: readonly string[]
): Promise<{ readonly uid: number; readonly gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined
  for (const name of names) {
    try {
      const [uid, gid] = await Promise.all(
        ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, name])).stdout))
      )
      if (uid !== undefined && gid !== undefined) return { uid, gid }
    } catch {
      // No such account: try the next.
    }
  }
  throw new Error(`the server does not run as root, and there is no account ${names.join(' or ')}`)
}
