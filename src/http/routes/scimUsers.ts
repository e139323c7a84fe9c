import { randomUUID } from 'node:crypto'
import { externalKey, nameKey } from '../../../commands/keys.js'
import { bySubject } from '../../../commands/people/identity/decide.js'
import { ownedUser } from '../../../commands/people/user/decide.js'
import { SYSTEM_ID } from '../../../commands/people/user/system.js'
import { usersTable } from '../../../commands/people/user/table.js'
import type { UserRow } from '../../../queries/callers.js'
import { allUsers } from '../../../queries/users.js'
import type { Hub } from '../../app/hub.js'
import { type ListQuery, listOfResources, partOfList, textAsked } from '../../directory/list.js'
import { patched } from '../../directory/patch.js'
import { provisioned, sentUser, userResource } from '../../directory/users.js'
import { LIMITS } from '../../limits.js'
import { columnsOf, outlinedColumns } from '../../readmodel/manyRows.js'
import type { ReadModel } from '../../readmodel/readModel.js'
import { keyFound } from '../../signIn/subject.js'
import type { Outline, PagedReads } from '../../storage/storage.js'
import { parse } from '../parse.js'
import { expectedAccounts, scimBase } from '../scim.js'
import { onWhatIsThere, type ScimKind } from './scimResources.js'

/** Accounts as a directory keeps them. */
export const scimUsers: ScimKind<typeof sentUser> = {
  name: 'User',
  one: 'an account',
  many: 'accounts',
  body: sentUser,
  refuses: [409],
  about: {
    list: `By name, ${LIMITS.scimPage.max} at most at once. Filters of \`userName eq\`, in whatever case, and \`externalId eq\` look up who is asked for.`,
    create:
      'It may use nothing yet, and has no token. What is not kept is left out, passwords among it. Where a provider of sign-in says that its subjects are the external ids, the account is bound to that; one that is bound to it already, and that no directory has told of, is the account then.',
    get: 'Its `meta.version` says which state it is in, and is its tag.',
    replace:
      '`active` false lets nothing in as it any more: its tokens, sessions and streams end. `active` true lets it in again where a directory has disabled it: what an administrator has disabled stays so, and is answered with `active` false. Where it is left out, that stays as it is; of the rest, what is left out is told no more. A new external id binds the account as at its creation, in place of the one before.',
    patch: 'The operations of RFC 7644, section 3.5.2: all of them, or none.',
    remove: 'Its tokens and sessions go with it; what it has made stays. `active` false is the gentler way.'
  },
  async list(hub, query) {
    const { readModel } = hub.ledger
    const resourceOf = (row: UserRow) => userResource(row, scimBase(hub), readModel)
    if (query.filter !== undefined) return listOfResources(...(await usersAsked(query, readModel)), resourceOf)
    const rowsOf = (part: readonly Outline[]) => outlinedColumns(readModel, usersTable, part)
    return partOfList(await everyUser(readModel), query, rowsOf, resourceOf)
  },
  async get(hub, id) {
    const { readModel } = hub.ledger
    return userResource(await ownedUser(id, readModel), scimBase(hub), readModel)
  },
  async create({ hub, run }, id, body) {
    const user = provisioned(body)
    const signIn = await signInOf(hub, user)
    const known = signIn && (await takenOver(signIn.subject.key, hub.ledger.readModel))
    await run(
      known ? { type: 'UpdateProvisionedUser', id: known, user, signIn } : { type: 'ProvisionUser', id, user, signIn }
    )
    return known ?? id
  },
  async replace({ hub, request, run }, id, body) {
    const ifRevision = expectedAccounts(request)
    const user = provisioned(body)
    return run({ type: 'UpdateProvisionedUser', id, user, signIn: await signInOf(hub, user), ifRevision })
  },
  patch({ hub, request, run }, id, operations) {
    const { readModel } = hub.ledger
    const expected = expectedAccounts(request)
    const change = async () => {
      const row = await ownedUser(id, readModel)
      const after = patched('User', await userResource(row, scimBase(hub), readModel), operations)
      const user = provisioned(parse(sentUser, after, 'body'))
      const ifRevision = [row.revision].filter((one) => !expected || expected.includes(one))
      await run({ type: 'UpdateProvisionedUser', id, user, signIn: await signInOf(hub, user), ifRevision })
    }
    return onWhatIsThere(change, expected !== undefined)
  },
  remove: ({ request, run }, id) => run({ type: 'DeleteUser', id, ifRevision: expectedAccounts(request) })
}

/** Where every account stands, by name: kept, since who pages through a list asks for it again and again. */
function everyUser(readModel: ReadModel): Promise<readonly Outline[]> {
  const { table, index, under } = allUsers
  const load = async () => owned(await readModel.outline(table, index, under))
  return readModel.cached('scim/users', [{ table, scope: null }], ({ length }) => 200 + length * 100, load)
}

/** All but that of the hub itself. */
const owned = <T extends { readonly id: string }>(rows: readonly T[]) => rows.filter(({ id }) => id !== SYSTEM_ID)

/** The accounts that a filter is about, with what of the question is still to be asked of them. */
async function usersAsked(query: ListQuery, read: PagedReads): Promise<[readonly UserRow[], ListQuery]> {
  const [name, externalId] = [textAsked(query.filter, 'userName'), textAsked(query.filter, 'externalId')]
  const under = (index: string, key: readonly string[]) => columnsOf(read, usersTable, index, key)
  if (name !== null) return [owned(await under('byNameKey', [nameKey(name)])), { ...query, filter: undefined }]
  const found = externalId === null ? under('byName', []) : under('byExternalKey', [externalKey(externalId)])
  return [owned(await found), query]
}

/** The account of somebody who came before a directory told of them; null where there is none, or it is not for a directory to have. */
async function takenOver(key: string, read: PagedReads): Promise<string | null> {
  const identity = await bySubject(key, read)
  const row = identity && (await read.get(usersTable, identity.userId))
  return row?.role === 'user' && !row.isService && row.directory === null ? row.id : null
}

/** As whom an account signs in, where a provider says that its subjects are the external ids of the directory; else null. */
async function signInOf({ signIn, ledger }: Hub, { name, details: { externalId } }: ReturnType<typeof provisioned>) {
  const provider = signIn?.providers.find(({ config }) => config.externalIdIsSubject)
  if (!provider || externalId === null) return null
  const { id, issuer } = provider.config
  const key = await keyFound(ledger.readModel, { issuer, subject: externalId })
  return { id: randomUUID(), subject: { provider: id, issuer, subject: externalId, name, key } }
}
