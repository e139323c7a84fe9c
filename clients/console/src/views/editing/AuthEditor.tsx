import { type Fault, faultAt } from '../../model/faults.js'
import type { Auth } from '../../model/forms.js'
import { isReference } from '../../model/secrets.js'
import { Field } from '../../ui/Field.js'
import { Section } from '../../ui/Section.js'
import { Select } from '../../ui/Select.js'
import css from './editing.module.css'

const TYPES = [
  { value: 'none', label: 'None' },
  { value: 'basic', label: 'Basic: user and password' },
  { value: 'bearer', label: 'Bearer: a token' }
] as const

interface AuthProps {
  readonly auth: Auth
  readonly faults: readonly Fault[]
  readonly change: (auth: Auth) => void
}

/** How a request says who asks. What was filled in for another type stays until it is saved otherwise. */
export function AuthEditor({ auth, faults, change }: AuthProps) {
  const { type, basic, bearer } = auth
  const hidden = (value: string) => (value === '' || isReference(value) ? '' : css.secret)
  const plain = { autoComplete: 'off', spellcheck: false }
  return (
    <Section title="Authorization">
      <div class={css.columns}>
        <Select
          label="Type"
          value={type}
          options={TYPES}
          fault={faultAt(faults, 'auth')}
          change={(chosen) => change({ ...auth, type: chosen })}
        />
        {type === 'basic' && (
          <>
            <Field
              label="User"
              {...plain}
              value={basic.username}
              onInput={({ currentTarget }) => change({ ...auth, basic: { ...basic, username: currentTarget.value } })}
            />
            <div class={hidden(basic.password)}>
              <Field
                label="Password"
                {...plain}
                value={basic.password}
                onInput={({ currentTarget }) => change({ ...auth, basic: { ...basic, password: currentTarget.value } })}
              />
            </div>
          </>
        )}
        {type === 'bearer' && (
          <div class={hidden(bearer.token)}>
            <Field
              label="Token"
              {...plain}
              value={bearer.token}
              onInput={({ currentTarget }) => change({ ...auth, bearer: { token: currentTarget.value } })}
            />
          </div>
        )}
      </div>
    </Section>
  )
}
