const WORDS = /authorization|cookie|token|secret|passw|api[-_]?key|credential|private/i
const REFERENCES = /^(?:(?:basic|bearer)\s+)?(?:\{\{[^{}]*\}\}\s*)+$/i

/** True for a name that headers and variables have whose values are secret. */
export const isSecretName = (name: string): boolean => WORDS.test(name)

/** True for a value that is nothing but references to variables, perhaps behind a scheme: it tells no secret. */
export const isReference = (value: string): boolean => REFERENCES.test(value.trim())
