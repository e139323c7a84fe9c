import { firestoreService } from './firestore-service.js'
import { mysqlService } from './mysql-service.js'
import { postgresService } from './postgres-service.js'
import { redisService } from './redis-service.js'

/** How tests come by a server of one kind. One more kind of service is one more of these. */
export interface ServiceKind {
  /** The environment variable that holds the address. */
  readonly variable: string
  /**
   * Whether this machine must be able to run it, for a service that not every machine has; every machine must without this.
   * Where it need not, what needs the service is skipped, whatever CI says.
   */
  isExpected?(): Promise<boolean>
  /** The address of a server that already answers at the usual local port, or null. */
  usual(): Promise<string | null>
  /** Starts a server of our own from the binaries on the machine; rejects with the reason why it cannot. */
  start(): Promise<StartedService>
}

export interface StartedService {
  readonly url: string
  /** Stops the server and removes everything it wrote. */
  stop(): Promise<void>
}

export type Service = { readonly url: string } | { readonly missing: string }

export type ServiceName = 'firestore' | 'mysql' | 'postgres' | 'redis'
const kinds: Readonly<Record<ServiceName, ServiceKind>> = {
  firestore: firestoreService,
  mysql: mysqlService,
  postgres: postgresService,
  redis: redisService
}
const names: readonly ServiceName[] = ['firestore', 'mysql', 'postgres', 'redis']

/** Where a change is judged, a service that is missing is a failure; on a workplace it is a skipped test. */
export const servicesDemanded = process.env.CI === 'true'

const found = new Map<ServiceName, Promise<Service>>()
const started: StartedService[] = []

/**
 * The address of a service: from the environment, else of a server at the usual local port, else of a private one that
 * ends with this process; or the reason why there is none. Looked up once per process.
 */
export function findService(name: ServiceName): Promise<Service> {
  const known = found.get(name)
  if (known !== undefined) return known
  const search = resolve(kinds[name])
  found.set(name, search)
  return search
}

/** One sentence about those of the services that there are not, or null when all are there. */
export async function missingServices(needed: readonly ServiceName[]): Promise<string | null> {
  const services = await Promise.all(needed.map(findService))
  const reasons = services.flatMap((service) => ('missing' in service ? [service.missing] : []))
  return reasons.length === 0 ? null : reasons.join('; ')
}

/** True unless one of the services is missing without which no change can be judged. */
export async function mayBeSkipped(needed: readonly ServiceName[]): Promise<boolean> {
  if (!servicesDemanded) return true
  const mayLack = async (name: ServiceName) =>
    'url' in (await findService(name)) || (await kinds[name].isExpected?.()) === false
  return (await Promise.all(needed.map(mayLack))).every((may) => may)
}

/** Finds or starts every service and returns the variables by which a child process finds the same ones. */
export async function serviceEnvironment(): Promise<Readonly<Record<string, string>>> {
  const entries = await Promise.all(
    names.map(async (name): Promise<readonly [string, string]> => {
      const service = await findService(name)
      const { variable } = kinds[name]
      return 'url' in service ? [variable, service.url] : [missingVariable(variable), service.missing]
    })
  )
  return Object.fromEntries(entries)
}

/** The variables by which a child process finds no service at all, for this reason. */
export function withoutServices(reason: string): Readonly<Record<string, string>> {
  const variables = names.map((name) => kinds[name].variable)
  return Object.fromEntries(
    variables.flatMap((name) => [
      [name, ''],
      [missingVariable(name), reason]
    ])
  )
}

/** Stops the private servers of this process. Should the process die before, they stop and clean up by themselves. */
export async function stopServices(): Promise<void> {
  await Promise.all(started.splice(0).map((service) => service.stop()))
}

async function resolve(kind: ServiceKind): Promise<Service> {
  const given = process.env[kind.variable]
  if (given !== undefined && given !== '') return { url: given }
  const knownMissing = process.env[missingVariable(kind.variable)]
  if (knownMissing !== undefined) return { missing: knownMissing }
  const usual = await kind.usual()
  if (usual !== null) return { url: usual }
  try {
    const service = await kind.start()
    started.push(service)
    return { url: service.url }
  } catch (error) {
    return {
      missing: `no ${kind.variable}, no server at the usual port, and ${error instanceof Error ? error.message : error}`
    }
  }
}

function missingVariable(variable: string): string {
  return variable.replace(/_URL$/, '_MISSING')
}
