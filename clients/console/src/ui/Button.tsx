import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'
import css from './Button.module.css'
import { Icon, type IconName } from './Icon.js'

interface Look {
  readonly kind?: 'plain' | 'primary' | 'quiet' | 'danger'
  readonly icon?: IconName
  readonly children?: ComponentChildren
}
type ButtonProps = Look &
  Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'icon' | 'children'> & {
    /** Its work is being done: it cannot be pressed again, and says so. */
    readonly isBusy?: boolean
  }

/** A button. Give it `aria-label` where it has an icon alone. */
export function Button({ kind = 'plain', icon, isBusy, children, disabled, ...rest }: ButtonProps) {
  const classes = `${css.button} ${css[kind]} ${children ? '' : css.square}`
  return (
    <button type="button" class={classes} disabled={disabled || isBusy} aria-busy={isBusy} {...rest}>
      {icon && <Icon name={icon} size={16} />}
      {children}
    </button>
  )
}

/** A link that looks like a button: where it leads somewhere in the console. */
export function ButtonLink({
  kind = 'plain',
  icon,
  children,
  href,
  ...rest
}: Look & { readonly href: string; readonly 'aria-label'?: string }) {
  return (
    <a class={`${css.button} ${css[kind]} ${children ? '' : css.square}`} href={href} {...rest}>
      {icon && <Icon name={icon} size={16} />}
      {children}
    </a>
  )
}
