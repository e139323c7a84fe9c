import { writeFileSync } from 'node:fs'

/** The text of the configuration that a first start writes: this machine only, and no other server needed. */
export function firstConfig(): string {
  return `# Configuration of the hub. Every section and key with its default: server.yaml.example.

server:
  # 127.0.0.1 answers this machine only. For others, put a reverse proxy with TLS in front and list it
  # under trustedProxies.
  host: 127.0.0.1
  port: 8787

# Everything the hub knows is in this SQLite file. Back it up with \`hub backup create FILE\` or \`hub backup follow DIR\`, while
# the hub runs: a copy made with cp lacks what is still in the files beside it. The path starts at the directory of this file.
db:
  driver: sqlite
  path: ./data/hub.sqlite

# Failed authentications are counted in the memory of the process. Several processes need driver: redis.
redis:
  driver: memory
`
}

/**
 * Writes the first configuration to `path`, readable by its owner only, since secrets will be added to it.
 * Throws the file system's error: `EEXIST` when there is a file already, which is left as it is.
 */
export function writeFirstConfig(path: string): void {
  writeFileSync(path, firstConfig(), { flag: 'wx', mode: 0o600 })
}
