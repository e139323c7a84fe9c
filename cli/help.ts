import { Cli, type CommandClass } from 'clipanion'
import { VERSION } from '../src/version.js'
import type { HubContext } from './command.js'
import { GLOBAL_OPTIONS } from './globals.js'

const PLACEHOLDER = ' #0'
const VALUE = ' <value>'

/** clipanion with these commands, and its help in our words. */
export class HubCli extends Cli<HubContext> {
  constructor(commands: readonly CommandClass<HubContext>[], colors: boolean) {
    super({
      binaryName: 'hub',
      binaryLabel: 'Collections Hub',
      binaryVersion: VERSION,
      enableColors: colors
    })
    for (const command of commands) this.register(command)
  }

  override usage(...[command, options]: Parameters<Cli<HubContext>['usage']>): string {
    const text = super.usage(command, options)
    if (command) return withValues(text)
    return `${text.replaceAll(/(?: \[-[^\]]*\]){2,}/g, ' [options]')}\n${GLOBAL_OPTIONS}`
  }
}

/** Names the values of options, and keeps the column of their descriptions straight. */
function withValues(text: string): string {
  if (!text.includes(PLACEHOLDER)) return text
  const widening = ' '.repeat(VALUE.length - PLACEHOLDER.length)
  return text.replaceAll(/^( {2}\S*-[^\s#]*)( #0)?/gm, (_, option: string, value?: string) =>
    value === undefined ? option + widening : option + VALUE
  )
}
