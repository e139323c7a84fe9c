import type { ChildProcess } from 'node:child_process'
import { z } from 'zod'
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

const service = z.union([z.object({ url: z.string() }), z.object({ missing: z.string() })])
export type Service = Readonly<z.infer<typeof service>>

const serviceName = z.enum(['firestore', 'mysql', 'postgres', 'redis'])
export type ServiceName = z.infer<typeof serviceName>
const kinds: Readonly<Record<ServiceName, ServiceKind>> = {
  firestore: firestoreService,
  mysql: mysqlService,
  postgres: postgresService,
  redis: redisService
}

/** Where a change is judged, a service that is missing is a failure; on a workplace it is a skipped test. */
export const servicesDemanded = process.env.CI === 'true'

let search: (name: ServiceName) => Promise<Service> = (name) => resolve(kinds[name])
const found = new Map<ServiceName, Promise<Service>>()
const started: StartedService[] = []

/**
 * The address of a service: from the environment, else of a server at the usual local port, else of a private one that
 * ends with this process, or with the one that this one asks; or the reason why there is none. Looked up once per process.
 */
export function findService(name: ServiceName): Promise<Service> {
  const known = found.get(name) ?? told(kinds[name]) ?? search(name)
  found.set(name, known)
  return known
}

const answer = z.object({ name: serviceName, service })

/** Answers what a process asks by `askParent`, so that a service is started when somebody needs it, and once for all who do. */
export function answerServices(child: ChildProcess): void {
  child.on('message', async (message) => {
    const name = serviceName.parse(message)
    // Whoever has ended meanwhile needs no answer.
    child.send({ name, service: await findService(name) }, () => {})
  })
}

/** From now on services are those of the process that has started this one; processes that this one starts find them too. */
export function askParent(): void {
  search = (wanted) =>
    new Promise((resolve) => {
      const take = (message: unknown) => {
        const { name, service } = answer.parse(message)
        if (name !== wanted) return
        process.off('message', take)
        Object.assign(process.env, variablesOf(name, service))
        resolve(service)
      }
      process.on('message', take)
      process.send?.(wanted)
    })
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

/** The variables by which a child process finds no service at all, for this reason. */
export function withoutServices(reason: string): Readonly<Record<string, string>> {
  return Object.assign({}, ...serviceName.options.map((name) => variablesOf(name, { missing: reason })))
}

/** The variables by which a child process finds the same service, or the same reason. */
function variablesOf(name: ServiceName, service: Service): Readonly<Record<string, string>> {
  const { variable } = kinds[name]
  return 'url' in service
    ? { [variable]: service.url }
    : { [variable]: '', [missingVariable(variable)]: service.missing }
}

/** Stops the private servers of this process. Should the process die before, they stop and clean up by themselves. */
export async function stopServices(): Promise<void> {
  await Promise.all(started.splice(0).map((service) => service.stop()))
}

/** What the environment says of a service; null where it says nothing. */
function told({ variable }: ServiceKind): Promise<Service> | null {
  const url = process.env[variable]
  if (url !== undefined && url !== '') return Promise.resolve({ url })
  const missing = process.env[missingVariable(variable)]
  return missing === undefined ? null : Promise.resolve({ missing })
}

async function resolve(kind: ServiceKind): Promise<Service> {
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
