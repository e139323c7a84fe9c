/**
 * Reads Fastify's drawing of its routes, a line per path indented below its parent: `│   └── /:id (PUT, DELETE)`.
 * The names of parameters are left out, since the drawing merges those of several routes.
 */
export function routesOf(drawing: string): readonly string[] {
  const above: string[] = []
  return drawing.split('\n').flatMap((line) => {
    const [, indent = '', path = '', methods = ''] = /^(.*?── )(\S+)(?: \((.*)\))?$/.exec(line) ?? []
    const depth = indent.length / 4
    const whole = [...above.slice(0, depth - 1), path].join('')
    above.splice(depth - 1, above.length, path)
    return methods === '' ? [] : methods.split(', ').map((method) => anonymous(`${method} ${whole}`))
  })
}

/** A route without the names of its parameters. */
export function anonymous(route: string): string {
  return route.replace(/:[^/]+/g, ':')
}
