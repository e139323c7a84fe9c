import * as assert from 'uvu/assert'
import { filterOf } from '../../src/directory/filter.js'
import { suite } from '../support/suite.js'

const test = suite('filters of directories')

const ada = {
  externalId: '00uAda',
  nickName: 'Zoe\u0308 Straße',
  userName: 'Ada@example.com',
  active: true,
  name: { familyName: 'Lovelace' },
  emails: [
    { value: 'ada@work.example', type: 'work', primary: true },
    { value: 'ada@home.example', type: 'home' }
  ],
  members: [{ value: 'u1' }, { value: 'u2' }],
  meta: { lastModified: '2026-03-04T05:06:07.089Z', version: 3 }
}

const holding = [
  'userName eq "ada@EXAMPLE.com"',
  'USERNAME sw "ada"',
  'userName ew ".com" and userName co "@"',
  'urn:ietf:params:scim:schemas:core:2.0:User:name.familyName eq "lovelace"',
  'active eq true',
  'active ne false',
  'emails pr',
  'emails.value eq "ada@home.example"',
  'emails[type eq "work" and value co "work"]',
  'emails[type eq "work"].value eq "ADA@work.example"',
  'EMAILS[type eq "work"].Value sw "ada" and active eq true',
  'urn:ietf:params:scim:schemas:core:2.0:User:emails[type eq "work"].value pr',
  'not (emails[type eq "work"].value eq "ada@home.example")',
  'emails[type eq "work"].value ne "ada@home.example"',
  'not (emails[type eq "work" and value co "home"])',
  'members eq "u2"',
  'meta.lastModified gt "2026-01-01T00:00:00Z" and meta.lastModified le "2026-03-04T05:06:07.089Z"',
  'meta.lastModified eq "2026-03-04T07:06:07.089+02:00" and meta.lastModified gt "2026-03-04T05:06:07Z"',
  'meta.lastModified lt "2026-03-04T00:06:08-05:00" and meta.lastModified ne "2026-03-04T05:06:07Z"',
  'nickName eq "ZOË STRASSE" and nickName ew "STRASSE"',
  'externalId eq "00uAda"',
  'meta.version ge 3 and meta.version lt 4',
  'userName eq "nobody" or (active eq true and name.familyName pr)',
  'userName eq "x" or userName eq "y" and active eq true or active eq true',
  'displayName ne "x"',
  'userName co "a" and not (active eq false)'
]
for (const filter of holding) test(`${filter} holds`, () => assert.ok(filterOf(filter)(ada)))

const not = [
  'externalId eq "00UADA"',
  'externalId sw "00U"',
  'meta.lastModified gt "2026-03-04T08:06:07+02:00"',
  'userName eq "ada"',
  'userName ne "ada@example.com"',
  'active eq "true"',
  'displayName pr',
  'displayName eq "x"',
  'emails[type eq "home"] and active eq false',
  'emails[type eq "work"].value eq "ada@home.example"',
  'emails[type eq "other"].value pr',
  'userName eq "x" and (active eq true or active eq false)',
  'meta.version gt 3',
  'constructor pr'
]
for (const filter of not) test(`${filter} does not`, () => assert.not(filterOf(filter)(ada)))

const none = [
  ...[
    '',
    'userName',
    'userName eq',
    'eq "x"',
    'userName is "x"',
    'userName eq x',
    'userName eq "x" and',
    '(active eq true'
  ],
  ...[
    'active eq true)',
    '__proto__ pr',
    'emails[type eq "work"',
    'userName eq "x" "y"',
    'not active eq true',
    'userName eq {"a":1}',
    '"x" eq "x"',
    'phoneNumbers[type eq "work"].value eq "x"',
    'emails[type eq "work"].other eq "x"',
    'emails[type eq "work"].value',
    'emails[type eq "work"]value eq "x"',
    'emails[type eq "work"].value.value eq "x"'
  ],
  ...[`${'('.repeat(25)}active eq true${')'.repeat(25)}`, `userName eq "${'\\'.repeat(999)}`]
]
for (const filter of none)
  test(`${filter.slice(0, 40)} is none`, () => assert.throws(() => filterOf(filter), /The filter cannot be read/))

test('to read one takes as long as it is', () => {
  const begun = performance.now()
  for (const part of ['(', '"', '\\', '[', 'a ', 'not (', 'a eq "b" or ', '"\\"', ' '])
    try {
      filterOf(part.repeat(20_000))
    } catch {
      // It is none.
    }
  assert.ok(performance.now() - begun < 10_000)
})

test.run()
