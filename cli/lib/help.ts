import { formatMarkdownish } from 'clipanion'
import { VERSION } from '../../src/lib/version.js'
import { type CommandPage, nextWords, type OptionPage, pageOf, startsWith, type Words } from '../pages.js'
import { GLOBAL_OPTIONS } from './globals.js'

/** How headings and names are set off; neither where there are no colours. */
export interface Look {
  readonly heading: (text: string) => string
  readonly strong: (text: string) => string
}

const set = (on: number, off: number) => (text: string) => `\u001b[${on}m${text}\u001b[${off}m`
export const plainLook: Look = { heading: (text) => text, strong: (text) => text }
export const colouredLook: Look = { heading: set(1, 22), strong: set(36, 39) }

const DETAILS = { format: { header: String, bold: String, error: String, code: String }, paragraphs: true } as const

/** The help of these words: of a command, of a group of commands, or of all; undefined where they are nothing of the hub. */
export function helpOf(pages: readonly CommandPage[], words: Words, look: Look): string | undefined {
  if (words.length === 0) return overview(pages, look)
  const found = pageOf(pages, words)
  if (found) return commandHelp(found.page, found.path, look)
  return nextWords(pages, words).size > 0 ? groupHelp(pages, words, look) : undefined
}

function overview(pages: readonly CommandPage[], look: Look): string {
  const categories = [...new Set(pages.map(({ category }) => category))]
  const width = Math.max(...pages.map((page) => nameOf(page).length))
  const lines = categories.flatMap((category) => [
    '',
    look.heading(category),
    ...pages
      .filter((page) => page.category === category)
      .map((page) => `  ${look.strong(nameOf(page).padEnd(width))}  ${page.description}`)
  ])
  return text([
    `Collections Hub ${VERSION}`,
    '',
    '  hub <command> [options]',
    ...lines,
    '',
    look.heading('Global options, before or behind the command'),
    ...optionLines(GLOBAL_OPTIONS, look),
    '',
    'What a command does, with examples: hub help <command>'
  ])
}

function groupHelp(pages: readonly CommandPage[], words: Words, look: Look): string {
  const inside = pages.flatMap(({ paths, description }) => {
    const path = paths.find((path) => startsWith(path, words))
    return path ? [{ name: path.join(' '), description }] : []
  })
  const width = Math.max(...inside.map(({ name }) => name.length))
  return text([
    `  hub ${words.join(' ')} <command>`,
    '',
    ...inside.map(({ name, description }) => `  ${look.strong(name.padEnd(width))}  ${description}`),
    '',
    `What a command does, with examples: hub help ${words.join(' ')} <command>`
  ])
}

function commandHelp(page: CommandPage, path: Words, look: Look): string {
  const { options, positionals, details, examples } = page
  const others = page.paths.filter((other) => other !== path).map((other) => `hub ${other.join(' ')}`)
  const required = options.filter(({ isRequired }) => isRequired).map((option) => ` ${optionText(option)}`)
  const behind = positionals.map(({ name, isRequired }) => (isRequired ? ` <${name}>` : ` [${name}]`))
  return text([
    page.description,
    '',
    `  hub ${path.join(' ')}${behind.join('')}${required.join('')}${options.length > required.length ? ' [options]' : ''}`,
    ...(others.length > 0 ? ['', `Also: ${others.join(', ')}`] : []),
    ...(options.length > 0 ? ['', look.heading('Options'), ...optionLines(options, look)] : []),
    ...(details === '' ? [] : ['', look.heading('Details'), formatMarkdownish(details, DETAILS).trimEnd()]),
    ...(examples.length > 0 ? ['', look.heading('Examples')] : []),
    ...examples.flatMap(([what, typed]) => [`  ${what}:`, `    ${look.strong(typed)}`])
  ])
}

type ShownOption = Pick<OptionPage, 'names' | 'value' | 'description'> & { readonly isRequired?: boolean }

function optionLines(options: readonly ShownOption[], look: Look): readonly string[] {
  const width = Math.max(...options.map((option) => optionText(option).length))
  return options.map((option) => {
    const needed = option.isRequired ? ' (required)' : ''
    return `  ${look.strong(optionText(option).padEnd(width))}    ${option.description}${needed}`
  })
}

/** An option as it is typed: `--out FILE`. */
export function optionText({ names, value }: Pick<OptionPage, 'names' | 'value'>): string {
  return `${names.join(', ')}${value === null ? '' : ` ${value}`}`
}

function nameOf({ paths: [path = []] }: CommandPage): string {
  return path.join(' ')
}

function text(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`
}
