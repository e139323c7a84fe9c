import { Tick } from '../../ui/Tick.js'

/** Whether agents may write with a token. */
export function AgentWrites({ isOn, turn }: { readonly isOn: boolean; readonly turn: (isOn: boolean) => void }) {
  return (
    <Tick
      type="checkbox"
      label="Agents may write with it"
      about="Otherwise they only read."
      checked={isOn}
      onChange={({ currentTarget }) => turn(currentTarget.checked)}
    />
  )
}
