import type { Loaded } from '../../app/records.js'
import { Code } from '../../ui/Code.js'
import { Markdown } from '../../ui/Markdown.js'
import { Section } from '../../ui/Section.js'
import { CollectionView } from './CollectionView.js'
import { EnvironmentView } from './EnvironmentView.js'
import { FolderView } from './FolderView.js'
import { LivePageView } from './LivePageView.js'
import { LiveServerView } from './LiveServerView.js'
import { RequestView } from './RequestView.js'

/** What a record holds, as people read it. Parts with nothing in them do not show. */
export function RecordView({ loaded }: { readonly loaded: Loaded }) {
  switch (loaded.kind) {
    case 'request':
      return <RequestView request={loaded.content} />
    case 'document':
      return <Markdown text={loaded.content.content} />
    case 'folder':
      return <FolderView collectionId={loaded.content.collectionId} folderId={loaded.content.id} />
    case 'collection':
      return <CollectionView collection={loaded.content} />
    case 'environment':
      return <EnvironmentView environment={loaded.content} />
    case 'snippet':
      return (
        <Section
          title={`Script, ${loaded.content.scope === 'any' ? 'before or after a request' : loaded.content.scope}`}
        >
          <Code text={loaded.content.code} language="javascript" />
        </Section>
      )
    case 'liveServer':
      return <LiveServerView server={loaded.content} />
    case 'livePage':
      return <LivePageView page={loaded.content} />
  }
}
