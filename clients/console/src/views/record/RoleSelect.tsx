import { GRANT_ROLES, type GrantRole } from '../../model/grants.js'

interface RoleSelectProps {
  readonly label: string
  readonly role: GrantRole
  readonly isBusy: boolean
  /** Gives another role in its place. */
  readonly become: (role: GrantRole) => void
}

/** A role that was given, to be changed. */
export function RoleSelect({ label, role, isBusy, become }: RoleSelectProps) {
  return (
    <select
      aria-label={label}
      value={role}
      disabled={isBusy}
      onChange={({ currentTarget }) => {
        const chosen = GRANT_ROLES[currentTarget.selectedIndex]
        // What is shown follows what the hub has taken.
        currentTarget.value = role
        if (chosen) become(chosen.value)
      }}
    >
      {GRANT_ROLES.map(({ value }) => (
        <option key={value} value={value}>
          {value}
        </option>
      ))}
    </select>
  )
}
