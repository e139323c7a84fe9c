import { Command, Option } from 'clipanion'
import { HubCommand } from './command.js'
import { completionScript, SHELLS } from './completionScripts.js'
import { oneOfValue } from './option-values.js'

/** `hub completion`: what a shell needs to complete words of this command line. */
export class CompletionCommand extends HubCommand {
  static override readonly paths = [['completion']]
  static override readonly usage = Command.Usage({
    category: 'Shell',
    description: `Print what a shell needs to complete commands and options: ${SHELLS.join(', ')}`,
    details: 'It is made from the commands of this version: make it anew after an update.',
    examples: [
      ['In bash, for this session', 'source <($0 completion bash)'],
      ['In zsh, for this session', 'source <($0 completion zsh)'],
      ['In fish, for good', '$0 completion fish > ~/.config/fish/completions/hub.fish']
    ]
  })

  /** It is about no log. */
  override readonly tenant = undefined

  readonly shell = Option.String({ name: 'shell' })

  protected async run(): Promise<void> {
    const shell = oneOfValue('The shell', this.shell, SHELLS)
    this.context.stdout.write(completionScript(shell, this.context.pages))
  }
}
