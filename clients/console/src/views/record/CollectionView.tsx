import type { Schemas } from '@collections-hub/client'
import type { ComponentChildren } from 'preact'
import { isSecretName } from '../../model/secrets.js'
import { Code } from '../../ui/Code.js'
import { Pairs } from '../../ui/Pairs.js'
import { Section } from '../../ui/Section.js'
import { AuthView } from './AuthView.js'
import { FolderView } from './FolderView.js'
import { VariablesTable } from './VariablesTable.js'

interface CollectionViewProps {
  readonly collection: Schemas['Collection']
  /** What it holds; what it holds now where nothing is given. */
  readonly contents?: ComponentChildren
}

/** A collection: what it holds, then what all its requests share. */
export function CollectionView({ collection, contents }: CollectionViewProps) {
  const { id, variables, headers, auth, preRequestScript, postRequestScript } = collection
  return (
    <>
      <Section title="Contents">{contents ?? <FolderView collectionId={id} folderId={null} />}</Section>
      {variables.length > 0 && (
        <Section title="Variables">
          <VariablesTable variables={variables} />
        </Section>
      )}
      {headers.length > 0 && (
        <Section title="Headers of every request">
          <Pairs label="Headers" pairs={headers} isSecret={isSecretName} />
        </Section>
      )}
      {auth.type !== 'none' && <AuthView auth={auth} />}
      {preRequestScript !== '' && (
        <Section title="Before every request">
          <Code label="Script before every request" text={preRequestScript} language="javascript" />
        </Section>
      )}
      {postRequestScript !== '' && (
        <Section title="After every response">
          <Code label="Script after every response" text={postRequestScript} language="javascript" />
        </Section>
      )}
    </>
  )
}
