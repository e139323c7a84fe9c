import { linkTo } from '../../app/route.js'
import { counted } from '../../model/numbers.js'
import { monthLabel } from '../../model/usage.js'
import { Placeholder } from '../../ui/Notice.js'

interface NoUsageProps {
  readonly month: string
  readonly offered: readonly string[]
}

/** What stands where nothing was used: how models are configured, or who may use those that are there. */
export function NoUsage({ month, offered }: NoUsageProps) {
  return (
    <Placeholder icon="usage" title={`No model was used in ${monthLabel(month)}`}>
      {offered.length === 0 ? (
        <p>
          This hub offers no models. They are configured in the section <code>llm</code> of <code>server.yaml</code>:
          give a provider its <code>apiKey</code>, reload the configuration in <a href={linkTo(['health'])}>Health</a>,
          and let people use models in <a href={linkTo(['people'])}>People</a>.
        </p>
      ) : (
        <p>
          This hub offers {counted(offered.length, 'model')}: {offered.join(', ')}. Who may use them is said in{' '}
          <a href={linkTo(['people'])}>People</a>.
        </p>
      )}
    </Placeholder>
  )
}
