import { randomUUID } from 'node:crypto'
import { lockables } from '../../commands/records/kinds.js'
import { text } from './client.js'
import type { Sample } from './endpoint.js'
import type { Account } from './support.js'
import { idsIn, type Who } from './who.js'
import { everything, succeeded, type World } from './world.js'

/** Somebody who gets, before each request, what the request is about. */
interface Following {
  readonly account: Account
  readonly follow: (sample: Sample) => Promise<unknown>
}

/** The tokens of all who call routes: of those who are told apart by what they are, and of those who get what a request is about. */
export interface People {
  readonly world: World
  /** The headers that somebody sends a request with, after they were given access to what it is about. */
  readonly headers: (who: Who, sample: Sample) => Promise<Record<string, string>>
}

/** Everybody of the tables, on a hub of their own. */
export async function peopleOf(world: World): Promise<People> {
  const [fixed, following] = await Promise.all([fixedOf(world), followingOf(world)])
  const seen = new Map<Who, string>()
  const headers = async (who: Who, sample: Sample): Promise<Record<string, string>> => {
    if (who === 'no token') return {}
    if (who === 'a malformed token') return { authorization: `Bearer ${world.owner.token} twice` }
    const one = following[who]
    const about = idsIn(sample).join()
    // What they have of something else makes no difference to a request about nothing that one can have.
    if (one && about !== '' && seen.get(who) !== about) {
      await one.follow(sample)
      seen.set(who, about)
    }
    return { authorization: `Bearer ${one?.account.token ?? fixed[who]}` }
  }
  return { world, headers }
}

async function fixedOf(world: World): Promise<Partial<Readonly<Record<Who, string>>>> {
  const { hub, owner, admin } = world
  const [revoked, nothing, all] = await Promise.all([world.user(everything), world.user(), world.user(everything)])
  const [ofAccounts, auditor] = await Promise.all([world.user({}, 'accountAdmin'), world.user({}, 'auditor')])
  const disabled = await world.user(everything)
  await hub.run({ type: 'RevokeToken', id: revoked.tokenId })
  succeeded(await world.by(admin).post(`/admin/users/${disabled.id}/disable`))
  const machine = { name: `Machine ${randomUUID()}`, role: 'user', isService: true, ...everything }
  const { body } = succeeded(await world.by(admin).post('/admin/users', machine))
  return {
    'an unknown token': `${owner.token.slice(0, -3)}xyz`,
    'a revoked token': revoked.token,
    'a disabled account': disabled.token,
    'a user without access': nothing.token,
    'a user with *': all.token,
    'a service account': text(body, 'secret'),
    'the creator': owner.token,
    'an administrator': admin.token,
    'an administrator of accounts': ofAccounts.token,
    'an auditor': auditor.token
  }
}

async function followingOf(world: World): Promise<Partial<Readonly<Record<Who, Following>>>> {
  const [listed, viewer, manager, member] = await Promise.all([world.user(), world.user(), world.user(), world.user()])
  const by = world.by(world.admin)
  const users = (id: string) => `/admin/users/${id}`
  const groups = succeeded(await by.post('/admin/groups', { name: `Group ${randomUUID()}` }))
  const group = `/admin/groups/${text(groups.body, 'id')}`
  succeeded(await by.put(`${group}/members/${member.id}`))
  const put = async (path: string, body: object) => void succeeded(await by.put(path, body))
  return {
    'a user with this id': {
      account: listed,
      follow: ({ scope }) => put(users(listed.id), { ...nothing, ...scope })
    },
    'a viewer': {
      account: viewer,
      follow: (sample) => put(`${users(viewer.id)}/grants`, { grants: grantsFor(sample, 'viewer') })
    },
    'a member of a group': {
      account: member,
      follow: (sample) => put(group, { grants: grantsFor(sample, 'editor') })
    },
    'a manager': {
      account: manager,
      follow: (sample) => put(`${users(manager.id)}/grants`, { grants: grantsFor(sample, 'manager') })
    }
  }
}

const nothing = Object.fromEntries(lockables.map(({ access }) => [access, []]))

/** Grants of the records that a sample is about. */
export function grantsFor({ scope = {} }: Sample, role: string) {
  return lockables.flatMap(({ kind, access }) => (scope[access] ?? []).map((id) => ({ kind, id, role })))
}
