import css from './Method.module.css'

const SHORT: Readonly<Record<string, string>> = { DELETE: 'DEL', OPTIONS: 'OPT', PATCH: 'PAT' }

/** The method of a request. */
export function Method({ method, isShort }: { readonly method: string; readonly isShort?: boolean }) {
  return (
    <span class={`${css.method} ${css[method] ?? ''} ${isShort ? css.short : ''}`}>
      {isShort ? (SHORT[method] ?? method) : method}
    </span>
  )
}
