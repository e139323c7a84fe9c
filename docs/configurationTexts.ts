/** What `server.yaml.example` says of its keys. */
export interface ConfigurationTexts {
  /** What it says of a key as `db.tls.ca`, of this driver where it says that apart; undefined where it says nothing. */
  textOf(key: string, driver?: string): string | undefined
}

interface Level {
  readonly indent: number
  readonly key: string
}

const BLOCK = /^#(\w+):\n(?:#.*\n)*/gm
const SETTING_OFF = /^( +)#(?=\w)/gm
const COMMENT = /^ *# (.*)$/
const KEY = /^( *)((?:- )?)(\w+):(?: (.*))?$/

/**
 * Reads the comments of the example: one that stands right before a key is about that key, in force or not. Where several say
 * something of a key, the first one counts, or the one in the block of the driver that is asked for.
 */
export function configurationTexts(example: string): ConfigurationTexts {
  const texts = new Map<string, string>()
  const keep = (key: string, text: string) => {
    if (!texts.has(key)) texts.set(key, text)
  }
  const inForce = example
    .replaceAll(BLOCK, (block) => block.replaceAll(/^#/gm, ''))
    .replaceAll(SETTING_OFF, '$1')
    .split('\n')
  let above: readonly Level[] = []
  let comment: readonly string[] = []
  let driver = ''
  for (const line of inForce) {
    const [, said] = COMMENT.exec(line) ?? []
    const [, spaces = '', item = '', name, value] = KEY.exec(line) ?? []
    if (name !== undefined) {
      const indent = spaces.length + item.length
      above = [...above.filter((level) => level.indent < indent), { indent, key: name }]
      const key = above.map((level) => level.key).join('.')
      if (indent === 0) driver = ''
      if (name === 'driver' && value !== undefined) driver = value
      if (comment.length > 0) {
        keep(key, comment.join(' '))
        keep(`${key} ${driver}`, comment.join(' '))
      }
    }
    comment = said === undefined ? [] : [...comment, said]
  }
  return { textOf: (key, of = '') => texts.get(`${key} ${of}`) ?? texts.get(key) }
}
