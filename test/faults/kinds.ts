import {
  collectionContent,
  documentContent,
  environmentContent,
  requestContent,
  snippetContent
} from '../http/content.js'

/** How records of a kind are made and changed; `shared` is the collection that all members are in. */
export interface Kind {
  readonly name: string
  /** The path of one of them is this and its id. */
  readonly path: string
  /** What they are called in an answer with all of them. */
  readonly plural: string
  listPath(shared: string): string
  readonly save: 'PUT' | 'PATCH'
  /** What is sent to make or save one that is called so. */
  content(name: string): unknown
  /** True where the revision of a record is that of its content, since it is never moved. */
  readonly isInPlace: boolean
}

const alone = (name: string, content: object): Kind => ({
  name,
  path: `/${name}s/`,
  plural: `${name}s`,
  listPath: () => `/${name}s`,
  save: 'PUT',
  content: (given) => ({ ...content, name: given }),
  isInPlace: true
})
const member = (name: string, content: object, save: Kind['save'] = 'PUT'): Kind => ({
  ...alone(name, content),
  listPath: (shared) => `/collections/${shared}/${name}s`,
  save,
  isInPlace: false
})

export const folders = member('folder', {}, 'PATCH')
export const requests = member('request', requestContent)
export const kinds: readonly Kind[] = [
  alone('collection', collectionContent),
  alone('environment', environmentContent),
  alone('snippet', snippetContent),
  folders,
  requests,
  member('document', documentContent)
]
