import css from './form.module.css'

/** Whether agents may write with a token. */
export function AgentWrites({ isOn, turn }: { readonly isOn: boolean; readonly turn: (isOn: boolean) => void }) {
  return (
    <label class={css.choice}>
      <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => turn(currentTarget.checked)} />
      <span>
        Agents may write with it <span class={css.about}>Otherwise they only read.</span>
      </span>
    </label>
  )
}
