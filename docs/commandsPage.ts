import { EXIT_MEANINGS } from '../cli/lib/errors.js'
import { GLOBAL_OPTIONS } from '../cli/lib/globals.js'
import { optionText } from '../cli/lib/help.js'
import type { CommandPage, OptionPage } from '../cli/pages.js'

/** The page of all commands, made from what they say of themselves. */
export function commandsPage(pages: readonly CommandPage[]): string {
  const sections = [...new Set(pages.map(({ category }) => category))].map((name) => {
    const members = pages.filter(({ category }) => category === name)
    return `## ${name}\n\n${members.map(command).join('\n\n')}`
  })
  return `${HEAD}\n\n${sections.join('\n\n')}\n`
}

const HEAD = `# Commands

Every command reads the configuration first: \`server.yaml\` in the current directory, or the file that \`HUB_CONFIG\` or \`-c\` names. All work
beside a running hub on the same database, and what they change is in force there on the next request. \`hub help COMMAND\` shows what
stands here; \`hub user\` and the other groups by themselves show their own commands.

These options stand before the command or behind it:

${options(GLOBAL_OPTIONS)}

| Exit code | Meaning |
|---|---|
${EXIT_MEANINGS.map(([code, meaning]) => `| ${code} | ${meaning} |`).join('\n')}

This page is written from the commands themselves by \`npm run docs\`.`

function command({ paths, positionals, description, details, options: all, examples }: CommandPage): string {
  const [path = [], ...others] = paths
  const behind = positionals.map(({ name, isRequired }) => (isRequired ? `<${name}>` : `[${name}]`))
  const parts = [`### \`${['hub', ...path, ...behind].join(' ')}\``, `${description}.`, unwrapped(details)]
  if (others.length > 0) parts.push(`Also ${others.map((other) => `\`hub ${other.join(' ')}\``).join(', ')}.`)
  if (all.length > 0) parts.push(options(all))
  if (examples.length > 0) {
    const lines = examples.flatMap(([what, line]) => [`# ${what}`, line])
    parts.push(`\`\`\`text\n${lines.join('\n')}\n\`\`\``)
  }
  return parts.filter((part) => part !== '').join('\n\n')
}

type Listed = Pick<OptionPage, 'names' | 'value' | 'description'> & { readonly isRequired?: boolean }

function options(all: readonly Listed[]): string {
  const lines = all.map((option) => {
    const text = `${option.description}${option.isRequired ? ' (required)' : ''}`
    return `| \`${optionText(option)}\` | ${text.replaceAll('|', '\\|')} |`
  })
  return ['| Option | |', '|---|---|', ...lines].join('\n')
}

/** Paragraphs as one line each: what is broken and indented in the code. */
function unwrapped(text: string): string {
  return text
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim().replaceAll(/\s*\n\s*(?!\s*- )/g, ' '))
    .join('\n\n')
}
