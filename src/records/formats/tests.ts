/** Some tools keep tests apart from the script that runs after a request; here they are its end, below this line. */
const TESTS = '// tests'

/** One script of a script and tests. */
export function joinScripts(script: string, tests: string): string {
  if (tests.trim() === '') return script
  return `${script.trim() === '' ? '' : `${script}\n\n`}${TESTS}\n${tests}`
}

/** A script and the tests at its end. */
export function splitScripts(text: string): { readonly script: string; readonly tests: string } {
  const at = text.startsWith(`${TESTS}\n`) ? 0 : text.indexOf(`\n\n${TESTS}\n`)
  if (at < 0) return { script: text, tests: '' }
  const start = at === 0 ? 0 : at + 2
  return { script: text.slice(0, at), tests: text.slice(start + TESTS.length + 1) }
}
