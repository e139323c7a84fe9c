import { Option } from 'clipanion'
import { KINDS } from '../../commands/records/kinds.js'
import { type CommandPage, nextWords, type Words } from '../pages.js'
import { HubCommand, usage } from './command.js'
import { GLOBAL_OPTIONS } from './globals.js'
import { ERASABLE_KINDS, oneOfValue } from './option-values.js'

const SHELLS = ['bash', 'zsh', 'fish'] as const

export class CompletionCommand extends HubCommand {
  static override readonly usage = usage('completion', {
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
    const places = [...placesOf(this.context.pages)]
    const script = SCRIPTS[oneOfValue('The shell', this.shell, SHELLS)](places)
    this.context.stdout.write(`${script.join('\n')}\n`)
  }
}

/** What may come behind some words of a command line. */
interface Place {
  readonly words: Words
  readonly choices: readonly { readonly word: string; readonly description: string }[]
}

/** The scripts that complete commands and options. */
const SCRIPTS = { bash, zsh, fish }

/** Every place where something can be completed: behind words that more words follow, and behind commands. */
function* placesOf(pages: readonly CommandPage[]): Generator<Place, void> {
  const globals = GLOBAL_OPTIONS.flatMap(({ names, description }) =>
    names.filter((name) => name.startsWith('--') && name !== '--version').map((word) => ({ word, description }))
  )
  const waiting: Words[] = [[]]
  for (let words = waiting.shift(); words; words = waiting.shift()) {
    const next = [...nextWords(pages, words)]
    const behind = words
    waiting.push(...next.map(([word]) => [...behind, word]))
    const page = pages.find(({ paths }) => paths.some((path) => path.join(' ') === behind.join(' ')))
    const help = words.length === 0 ? FIRST : []
    const commands = next.map(([word, [first, ...others]]) => ({
      word,
      description: others.length > 0 || !first ? `Commands of hub ${[...behind, word].join(' ')}` : first.description
    }))
    const kindWords = behind.join(' ') === 'erase deleted' ? ERASABLE_KINDS : KINDS
    const kinds = page?.positionals[0]?.name === 'kind' ? kindWords.map((word) => ({ word, description: 'Kind' })) : []
    const options = (page?.options ?? []).flatMap(({ names, description }) =>
      names.filter((name) => name.startsWith('--')).map((word) => ({ word, description }))
    )
    yield { words, choices: [...commands, ...help, ...kinds, ...options, ...globals] }
  }
}

/** What comes first or not at all, beside commands. */
const FIRST = [
  { word: 'help', description: 'What a command does' },
  { word: '--version', description: 'Print the version' }
]

/** The words before the one that is completed, without options and their values, in the variable `at`. */
const WORDS_SO_FAR = [
  '  at=""',
  `  for word in "\${before[@]}"; do`,
  '    case "$word" in',
  '      -*) ;;',
  `      *) case "$known" in *"|$at\${at:+ }$word|"*) at="$at\${at:+ }$word" ;; esac ;;`,
  '    esac',
  '  done'
]

function known(places: readonly Place[]): string {
  return `|${places.map(({ words }) => words.join(' ')).join('|')}|`
}

function bash(places: readonly Place[]): readonly string[] {
  return [
    '# bash completion for hub',
    '_hub() {',
    `  local before at word choices known current="\${COMP_WORDS[COMP_CWORD]}"`,
    `  before=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")`,
    `  known=${quoted(known(places))}`,
    ...WORDS_SO_FAR,
    '  case "$at" in',
    ...places.map(({ words, choices }) => {
      return `    ${quoted(words.join(' '))}) choices=${quoted(choices.map(({ word }) => word).join(' '))} ;;`
    }),
    '  esac',
    '  # Options are offered where one is begun, or nothing else can come.',
    '  COMPREPLY=()',
    '  for word in $choices; do',
    '    case "$word" in -*) [[ $current == -* || $choices == -* ]] || continue ;; esac',
    '    [[ $word == "$current"* ]] && COMPREPLY+=("$word")',
    '  done',
    '  # Where nothing of the hub fits it may be a file.',
    '  return 0',
    '}',
    'complete -o bashdefault -o default -F _hub hub'
  ]
}

function zsh(places: readonly Place[]): readonly string[] {
  return [
    '#compdef hub',
    '_hub() {',
    '  local at word known',
    '  local -a before choices',
    `  before=("\${(@)words[2,CURRENT-1]}")`,
    `  known=${quoted(known(places))}`,
    ...WORDS_SO_FAR,
    '  case "$at" in',
    ...places.map(({ words, choices }) => {
      const described = choices.map(({ word, description }) => quoted(`${word.replaceAll(':', '\\:')}:${description}`))
      return `    ${quoted(words.join(' '))}) choices=(${described.join(' ')}) ;;`
    }),
    '  esac',
    '  _describe hub choices || _files',
    '}',
    'if [ "$funcstack[1]" = _hub ]; then',
    '  _hub "$@"',
    'else',
    '  # Without a configuration of its own, as on a new Mac, zsh completes nothing yet.',
    '  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }',
    '  compdef _hub hub',
    'fi'
  ]
}

function fish(places: readonly Place[]): readonly string[] {
  const lines = places.flatMap(({ words, choices }) =>
    choices.map(({ word, description }) => {
      const offered = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${fishQuoted(word)}`
      return `complete -c hub -n ${fishQuoted(`__hub_at ${words.join(' ')}`.trim())} ${offered} -d ${fishQuoted(description)}`
    })
  )
  return [
    '# fish completion for hub',
    'function __hub_at --description "Tells whether these are the words of the command so far"',
    '  set -l before (commandline -opc)[2..-1]',
    `  set -l known ${places.map(({ words }) => fishQuoted(words.join(' '))).join(' ')}`,
    '  set -l at',
    '  for word in $before',
    "    string match -q -- '-*' $word; and continue",
    '    set -l longer (string join " " $at $word)',
    '    contains -- $longer $known; and set at $at $word',
    '  end',
    '  test (string join " " "" $at) = (string join " " "" $argv)',
    'end',
    ...lines
  ]
}

/** A text as one word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
