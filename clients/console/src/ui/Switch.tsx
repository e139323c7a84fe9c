import css from './Switch.module.css'

interface SwitchProps {
  readonly label: string
  readonly isOn: boolean
  readonly isBusy?: boolean
  readonly turn: () => void
}

/** Something that is on or off, and takes effect at once. */
export function Switch({ label, isOn, isBusy, turn }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-label={label}
      aria-busy={isBusy}
      class={css.switch}
      onClick={() => isBusy || turn()}
    >
      <span class={css.knob} />
    </button>
  )
}
