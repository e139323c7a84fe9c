import type { ComponentChildren } from 'preact'
import css from './Badge.module.css'

interface BadgeProps {
  readonly tone?: 'plain' | 'note' | 'good' | 'accent'
  readonly children: ComponentChildren
}

/** A word about what it stands beside. */
export function Badge({ tone = 'plain', children }: BadgeProps) {
  return <span class={`${css.badge} ${css[tone]}`}>{children}</span>
}
