/** A file system that is mounted somewhere. */
export interface Mount {
  readonly point: string
  /** Of which kind it is, ext4 for instance. */
  readonly type: string
  readonly options: readonly string[]
}

// Number, parent, device, root, mount point, options, any number of further fields, a dash, kind.
const LINE = /^\d+ \d+ \d+:\d+ \S+ (\S+) (\S+)(?: \S+)*? - (\S+) /

/** The mounts that a text like `/proc/self/mountinfo` tells of, in its order; lines of another form are left out. */
export function mountsIn(mountinfo: string): readonly Mount[] {
  return mountinfo.split('\n').flatMap((line) => {
    const [, point, options, type] = LINE.exec(line) ?? []
    if (point === undefined || options === undefined || type === undefined) return []
    return [{ point: unescaped(point), type, options: options.split(',') }]
  })
}

/** The mount that a path lies on, which must be absolute and without symbolic links; null where it lies on none. */
export function mountOver(mounts: readonly Mount[], path: string): Mount | null {
  let over: Mount | null = null
  for (const mount of mounts) {
    if (!isBelow(path, mount.point)) continue
    // Of several at one point the last covers those before it.
    if (over === null || mount.point.length >= over.point.length) over = mount
  }
  return over
}

function isBelow(path: string, point: string): boolean {
  return path === point || path.startsWith(point === '/' ? '/' : `${point}/`)
}

/** The kernel writes blanks, line breaks and backslashes of a path in octal. */
function unescaped(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
}
