import * as assert from 'uvu/assert'
import { type Operation, patched, understood } from '../../src/directory/patch.js'
import { provisioned, sentUser } from '../../src/directory/users.js'
import { HubError } from '../../src/errors.js'
import { suite } from '../support/suite.js'

const test = suite('what a PATCH of a directory makes of an account')

const nobody = { userName: 'ada', active: true, displayName: 'Ada' }
const ada = {
  ...nobody,
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  emails: [{ value: 'old@x.example', type: 'work', primary: true }]
}
const after = (before: object, ...operations: readonly Operation[]) =>
  provisioned(sentUser.parse(patched('User', { ...before }, understood('User', operations)))).details
const [op, work] = ['replace', 'emails[type eq "work"].value'] as const
const home = 'emails[type eq "home"].value'

const names: readonly (readonly [Operation, readonly [string | null, string | null]])[] = [
  [{ op, path: 'name', value: { givenName: 'Augusta' } }, ['Augusta', 'Lovelace']],
  [{ op: 'add', path: 'name', value: { familyName: 'King' } }, ['Ada', 'King']],
  [{ op, value: { name: { familyName: 'King', formatted: 'Ada King' } } }, ['Ada', 'King']],
  [{ op, path: 'NAME.givenname', value: 'Augusta' }, ['Augusta', 'Lovelace']],
  [{ op, path: 'name', value: { givenName: null } }, [null, 'Lovelace']],
  [{ op: 'remove', path: 'name.familyName' }, ['Ada', null]],
  [{ op: 'remove', path: 'name' }, [null, null]]
]
for (const [operation, [givenName, familyName]] of names)
  test(`${JSON.stringify(operation)} leaves the parts of a name that it does not say`, () => {
    const details = after(ada, operation)
    assert.equal([details.givenName, details.familyName], [givenName, familyName])
  })

const mail = { value: 'new@x.example', type: 'work', primary: true }
const mails: readonly (readonly [
  what: string,
  before: object,
  operations: readonly Operation[],
  kept: string | null
])[] = [
  ['a list without a path takes the place of those before', ada, [{ op, value: { emails: [mail] } }], mail.value],
  ['one that is no list does too', ada, [{ op, path: 'emails', value: mail }], mail.value],
  ['yes may be a text', ada, [{ op, path: 'emails', value: [{ ...mail, primary: 'True' }] }], mail.value],
  [
    'another primary one is it from then on',
    ada,
    [{ op: 'add', path: 'emails', value: [{ ...mail, type: 'home' }] }],
    mail.value
  ],
  ['a whole one by its type', ada, [{ op, path: 'emails[type eq "work"]', value: { value: mail.value } }], mail.value],
  [
    'of two that are added that of work',
    nobody,
    [
      { op: 'add', path: home, value: 'h@x' },
      { op: 'add', path: work, value: 'w@x' }
    ],
    'w@x'
  ],
  [
    'the last word on one of several',
    nobody,
    [
      { op: 'add', path: work, value: 'a@x' },
      { op, path: work, value: 'b@x' }
    ],
    'b@x'
  ],
  [
    'one that is made the primary',
    ada,
    [
      { op: 'add', path: home, value: 'h@x' },
      { op, path: 'emails[type eq "home"].primary', value: 'True' }
    ],
    'h@x'
  ],
  [
    'one that is added in place of one taken out',
    ada,
    [
      { op: 'remove', path: 'emails[type eq "work"]' },
      { op: 'add', path: work, value: 'w@x' }
    ],
    'w@x'
  ],
  ['the name of an attribute may be a path', nobody, [{ op: 'add', value: { [work]: 'w@x' } }], 'w@x'],
  ['one of another type is not kept', ada, [{ op, path: home, value: 'h@x' }], 'old@x.example'],
  ['one taken out by its value', ada, [{ op: 'remove', path: 'emails', value: [{ value: 'old@x.example' }] }], null],
  ['one without a value is none', { ...nobody, emails: [{ value: null, type: 'work' }, { value: 'e@x' }] }, [], 'e@x'],
  ['no value is none', ada, [{ op, path: 'emails', value: null }], null]
]
for (const [what, before, operations, kept] of mails)
  test(`mail addresses: ${what}`, () => assert.is(after(before, ...operations).email, kept))

const refused: readonly (readonly [Operation, string])[] = [
  [{ op, path: 'id', value: 'x' }, 'mutability'],
  [{ op, path: 'displayName.x', value: 'x' }, 'invalidPath'],
  [{ op, path: 'name[type eq "x"].givenName', value: 'x' }, 'invalidPath'],
  [{ op, path: 'emails[type eq "work" and primary eq true].value', value: 'x' }, 'invalidPath'],
  [{ op, path: 'emails', value: 'x' }, 'invalidValue'],
  [{ op, value: [1] }, 'invalidValue'],
  [{ op, path: 'emails', value: Array(101).fill({ value: 'x' }) }, 'tooMany'],
  [{ op: 'remove' }, 'noTarget']
]
for (const [operation, scimType] of refused)
  test(`${JSON.stringify(operation).slice(0, 60)} is refused`, () =>
    assert.throws(
      () => after(ada, operation),
      (error: unknown) => error instanceof HubError && error.members.scimType === scimType
    ))

test.run()
