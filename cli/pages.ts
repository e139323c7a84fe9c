import { Cli, type CommandClass } from 'clipanion'
import type { HubContext } from './lib/command.js'

export type Words = readonly string[]

/** An option as its help shows it. */
export interface OptionPage {
  readonly names: Words
  /** What stands for its value, as `FILE`; null where it takes none. */
  readonly value: string | null
  readonly description: string
  readonly isRequired: boolean
}

/** What there is to know of a command to explain, complete or document it. */
export interface CommandPage {
  /** The words that call it; the first of them is its name, the others are other names for it. */
  readonly paths: readonly Words[]
  readonly category: string
  readonly description: string
  readonly details: string
  /** What each is for, and what is typed. */
  readonly examples: readonly (readonly [string, string])[]
  readonly positionals: readonly { readonly name: string; readonly isRequired: boolean }[]
  readonly options: readonly OptionPage[]
}

/** Stands in front of an option's description: what its value is called. */
const VALUE = /^<([^>]+)> /

/** What the commands that begin with these words are shown under; of several words that fit the first. */
const CATEGORIES = [
  ['Server', 'start', 'doctor', 'migrate', 'images', 'config'],
  ['Groups', 'group'],
  ['Tokens', 'user token'],
  ['Invitations', 'user invite'],
  ['Users', 'user'],
  ['Collections', 'collection', 'request', 'find'],
  ['LLM', 'llm'],
  ['Backup', 'backup'],
  ['Log', 'log'],
  ['History', 'history', 'at', 'diff', 'restore', 'deleted', 'undelete', 'undo'],
  ['Audit', 'audit'],
  ['Erasure', 'erase'],
  ['Projections', 'projections'],
  ['Tenants', 'tenant'],
  ['Throttle', 'throttle'],
  ['Webhooks', 'webhook'],
  ['Shell', 'completion']
] as const

function categoryOf(path: Words): string {
  const isOf = (start: string) => startsWith(path, start.split(' '))
  return CATEGORIES.find(([, ...starts]) => starts.some(isOf))?.[0] ?? ''
}

/** clipanion with the commands of the hub, which tells what it knows of them. */
export class HubCli extends Cli<HubContext> {
  readonly pages: readonly CommandPage[]

  constructor(commands: readonly CommandClass<HubContext>[]) {
    super({ binaryName: 'hub', enableColors: false })
    for (const command of commands) this.register(command)
    this.pages = commands.map((command) => this.#page(command))
  }

  #page(command: CommandClass<HubContext>): CommandPage {
    const { usage, options } = this.getUsageByRegistration(command, { detailed: true, inlineOptions: false })
    const { description = '', details = '', examples = [] } = command.usage ?? {}
    const paths = command.paths ?? []
    const [path = []] = paths
    // Three dots say that the last may be given several times.
    const behind = usage
      .split(' ')
      .slice(1 + path.length)
      .filter((one) => one !== '...')
    return {
      paths,
      category: categoryOf(path),
      description,
      details,
      examples: examples.map(([what, typed]) => [what, typed.replaceAll('$0', 'hub')]),
      positionals: behind.map((one) => ({ name: one.slice(1, -1), isRequired: one.startsWith('<') })),
      options: options.map(({ definition, description, required }) => {
        const [names = '', takesValue] = definition.split(' ')
        const value = VALUE.exec(description)?.[1] ?? 'VALUE'
        return {
          names: names.split(','),
          value: takesValue === undefined ? null : value,
          description: description.replace(VALUE, ''),
          isRequired: required
        }
      })
    }
  }
}

/** The page of the command that these words call, with or without arguments behind it. */
export function pageOf(pages: readonly CommandPage[], words: Words): { page: CommandPage; path: Words } | undefined {
  const named = pages.flatMap((page) => page.paths.map((path) => ({ page, path })))
  const found = named.filter(({ path }) => startsWith(words, path))
  // The longest: `user token` may be a command beside `user token list`.
  return found.sort((a, b) => b.path.length - a.path.length)[0]
}

/** The words that may come next behind these, with the pages of the commands that they lead to. */
export function nextWords(pages: readonly CommandPage[], words: Words): ReadonlyMap<string, readonly CommandPage[]> {
  const next = new Map<string, CommandPage[]>()
  for (const page of pages) {
    for (const path of page.paths.filter((path) => startsWith(path, words))) {
      const word = path[words.length]
      if (word !== undefined) next.set(word, [...(next.get(word) ?? []), page])
    }
  }
  return next
}

export function startsWith(whole: Words, start: Words): boolean {
  return start.every((word, at) => whole[at] === word)
}
