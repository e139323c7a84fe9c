import { z } from 'zod'
import { type CommandPage, nextWords, pageOf, type Words } from '../pages.js'
import { didYouMean, UsageError } from './errors.js'
import { optionText } from './help.js'

/** What clipanion throws at arguments that fit no command. It does not export the class. */
const refused = z.object({
  candidates: z.array(z.object({ reason: z.string().nullable() }))
})

/** What is wrong with arguments that clipanion refused with `error`, and where help is. */
export function syntaxError(error: unknown, args: Words, pages: readonly CommandPage[]): UsageError {
  const known = pageOf(pages, args)
  if (known) {
    const { page, path } = known
    const [candidate] = refused.safeParse(error).data?.candidates ?? []
    const { said, help = [] } = reasonOf(candidate?.reason ?? '') ?? missing(page, args.slice(path.length))
    const names = page.options.flatMap(({ names }) => names)
    const meant = help.flatMap((option) => didYouMean(option, names, String))
    return new UsageError(said, { help: [...meant, `See: hub ${path.join(' ')} --help`] })
  }
  const optionAt = args.findIndex((arg) => arg.startsWith('-'))
  return unknownWords(optionAt < 0 ? args : args.slice(0, optionAt), args, pages)
}

/** The refusal of words that are no command, and of an option where a command should be. */
export function unknownWords(words: Words, args: Words, pages: readonly CommandPage[]): UsageError {
  const isName = (name: string) => pages.some(({ paths }) => paths.some((path) => path.join(' ') === name))
  const begun = words.map((_, at) => words.slice(0, at + 1))
  const wrongAt = begun.findIndex((some) => nextWords(pages, some).size === 0 && !isName(some.join(' ')))
  const before = wrongAt < 0 ? words : words.slice(0, wrongAt)
  const wrong = words[wrongAt]
  const see = `See: hub ${[...before, '--help'].join(' ')}`
  if (wrong === undefined) return new UsageError(`Unknown option ${args[words.length]}.`, { help: [see] })
  const shown = (word: string) => `hub ${[...before, word, ...words.slice(wrongAt + 1)].join(' ')}`
  const meant = didYouMean(wrong, nextWords(pages, before).keys(), shown)
  return new UsageError(`Unknown command: hub ${words.join(' ')}`, { help: [...meant, see] })
}

/** What is said, and the options that are unknown. */
type Reason = { readonly said: string; readonly help?: readonly string[] }

function reasonOf(reason: string): Reason | null {
  const [, unknown] = /^(?:Unsupported|Invalid) option name \("(.*)"\)\.$/s.exec(reason) ?? []
  if (unknown !== undefined) return { said: `Unknown option ${unknown}.`, help: [unknown.replace(/=.*$/s, '')] }
  const [, extra] = /^Extraneous positional argument \("(.*)"\)\.$/s.exec(reason) ?? []
  if (extra !== undefined) return { said: `Unexpected argument ${extra}.` }
  const [, valueless] = /^Not enough arguments to option (.*)\.$/s.exec(reason) ?? []
  return valueless === undefined ? null : { said: `Option ${valueless} needs a value.` }
}

/** What a command needs and was not given. */
function missing({ options, positionals }: CommandPage, args: Words): Reason {
  const given = new Set(args.map((arg) => arg.replace(/=.*$/s, '')))
  let count = 0
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    const option = options.find(({ names }) => names.includes(arg))
    if (option?.value) at++
    else if (!arg.startsWith('-')) count++
  }
  const argument = positionals.filter(({ isRequired }) => isRequired)[count]
  if (argument) return { said: `The argument <${argument.name}> is missing.` }
  const option = options.find(({ isRequired, names }) => isRequired && !names.some((name) => given.has(name)))
  return { said: option ? `Option ${optionText(option)} is required.` : 'The arguments do not fit the command.' }
}
