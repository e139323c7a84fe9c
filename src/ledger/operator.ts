import { hostname, userInfo } from 'node:os'
import type { Operator } from '../log/event.js'

const LENGTH_MAX = 200

/**
 * Who runs this process: the account of the operating system, and behind `sudo` whoever called that, as far as the
 * environment says so. Arguments are no part of it: names of people may be among them.
 */
export function operatorOf(command: string, env: Readonly<Record<string, string | undefined>>): Operator {
  const user = accountName()
  const { SUDO_USER: by } = env
  const whole = by !== undefined && by !== '' && by !== user ? `${user} (sudo by ${by})` : user
  return { user: plain(whole), host: plain(hostname()), command: plain(command) }
}

/** The name of the account, or in a container that knows none its number. */
function accountName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? '?')
  }
}

function plain(text: string): string {
  return text.slice(0, LENGTH_MAX).toWellFormed()
}
