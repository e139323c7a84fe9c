const SECRET_NAMES = /authorization|cookie|token|secret|password|passwd|api[-_]?key|credential|private/i

/** What stands where a secret is not shown. */
export const MASK = '••••••••'

/** Whether a header, a parameter or a variable of this name usually holds something that nobody should read over a shoulder. */
export const isSecretName = (name: string): boolean => SECRET_NAMES.test(name)

/** A value that is nothing but references to variables tells nothing. */
export const isReference = (value: string): boolean =>
  /^\s*(?:(?:(?:basic|bearer)\s*)?\{\{[^{}]*\}\}\s*)+$/i.test(value)

/** Whether a value is one that nobody should read over a shoulder, by the name that it has. */
export const isSecretValue = ({ key, value }: { readonly key: string; readonly value: string }): boolean =>
  isSecretName(key) && value !== '' && !isReference(value)
