import { emitUser } from '../../commands/people/user/events.js'
import { suite } from '../support/suite.js'
import { given } from './given.js'
import { anAccount, ops } from './people.js'

const test = suite('deciding on what a directory keeps')

const untold = { externalId: null, displayName: null, givenName: null, familyName: null, email: null }
const user = emitUser('u', 'UserCreated', anAccount('Eve'))
const disabled = (by: 'administrator' | 'directory') => emitUser('u', 'UserDisabled', { by })
const enabled = emitUser('u', 'UserEnabled', {})
const said = (isActive: boolean | null) =>
  ({ type: 'UpdateProvisionedUser', id: 'u', user: { name: 'Eve', isActive, details: untold } }) as const

test('an account is let in again where a directory has disabled it, and not where an administrator has', async () => {
  await given(user, disabled('directory')).when(said(true), { by: ops }).then(enabled)
  await given(user, disabled('administrator')).when(said(true), { by: ops }).nothing()
  await given(user, disabled('directory'), disabled('administrator')).when(said(true), { by: ops }).nothing()
  await given(user, disabled('administrator'), enabled, disabled('directory'))
    .when(said(true), { by: ops })
    .then(enabled)
  await given(user).when(said(true), { by: ops }).nothing()
})

test('what a directory says of a disabled account again, or not at all, changes nothing', async () => {
  for (const by of ['administrator', 'directory'] as const)
    for (const isActive of [false, null]) await given(user, disabled(by)).when(said(isActive), { by: ops }).nothing()
  await given(user).when(said(null), { by: ops }).nothing()
  await given(user).when(said(false), { by: ops }).then(disabled('directory'))
})

test('who is made without a word of it is let in', async () => {
  const made = (isActive: boolean | null) =>
    ({ type: 'ProvisionUser', id: 'v', user: { name: 'Zoe', isActive, details: untold }, signIn: null }) as const
  const isDisabled = (isActive: boolean | null, expected: number) =>
    given()
      .when(made(isActive), { by: ops })
      .events((events) => {
        const found = events.filter(({ type }) => type === 'UserDisabled').length
        if (found !== expected) throw new Error(`${isActive}: ${found}`)
      })
  await isDisabled(null, 0)
  await isDisabled(true, 0)
  await isDisabled(false, 1)
})

test("an administrator's word stands over a directory's, once", async () => {
  const disable = { type: 'DisableUser', id: 'u', by: 'administrator' } as const
  await given(user, disabled('directory')).when(disable, { by: ops }).then(disabled('administrator'))
  await given(user, disabled('administrator')).when(disable, { by: ops }).nothing()
})

test.run()
