import { linkTo } from '../../app/route.js'
import { bytes, count, counted } from '../../model/numbers.js'
import { Fact, Facts, Section, Time } from '../../ui/kit.js'
import type { Status } from './Health.js'

/** How far everything is: the log, what is read from it, who follows it, and the process itself. */
export function Standing({ status }: { readonly status: Status }) {
  return (
    <>
      <LogStanding log={status.log} />
      <TablesStanding status={status} />
      <ProcessStanding status={status} />
    </>
  )
}

function LogStanding({ log: { position, lastEventAt, isSealed, checkpoint, verification } }: Pick<Status, 'log'>) {
  return (
    <Section title="Log">
      <Facts>
        <Fact name="Entries">
          <a href={linkTo(['audit'])}>{count(position)}</a>
          {lastEventAt !== null && (
            <>
              , the last written <Time at={lastEventAt} />
            </>
          )}
        </Fact>
        <Fact name="Sealed">
          {isSealed ? (
            'It is sealed with a key.'
          ) : (
            <>
              It is sealed without a key. <code>hub audit seal</code> seals it with one.
            </>
          )}
        </Fact>
        <Fact name="Signed">
          {checkpoint ? (
            <>
              Its end was signed <Time at={checkpoint.at} />, at entry {count(checkpoint.position)}.
            </>
          ) : (
            <>
              It was not signed since the hub was started. <code>hub audit checkpoint</code> signs its end.
            </>
          )}
        </Fact>
        <Fact name="Verified">
          {verification ? (
            <>
              {verification.text} Verified <Time at={verification.at} />.
            </>
          ) : (
            <>
              It was not verified since the hub was started. <code>hub audit verify</code> does that.
            </>
          )}
        </Fact>
      </Facts>
    </Section>
  )
}

function TablesStanding({ status: { projections, search, followers, log } }: { readonly status: Status }) {
  const { generation, versions, rebuild } = projections
  return (
    <Section title="What is made from it">
      <Facts>
        <Fact name="Read tables">
          {rebuild
            ? `Generation ${generation} is in use; ${rebuild.generation} is being built, and has come to entry ${count(rebuild.position)} of ${count(log.position)}.`
            : `Generation ${generation} is in use, with ${counted(Object.keys(versions).length, 'table')}.`}
        </Fact>
        <Fact name="Search index">
          {search.behind === 0
            ? 'It is up to date.'
            : `It is ${counted(search.behind, 'entry', 'entries')} behind, and catches up by itself.`}
        </Fact>
        <Fact name="Followers">
          {followers.count === 0
            ? 'Nobody follows the changes'
            : `${counted(followers.count, 'connection follows', 'connections follow')} the changes`}
          {followers.oldestSince !== null && (
            <>
              , the oldest opened <Time at={followers.oldestSince} />
            </>
          )}
          .
        </Fact>
      </Facts>
    </Section>
  )
}

function ProcessStanding({ status: { version, startedAt, memory } }: { readonly status: Status }) {
  const { rssBytes, heapUsedBytes, heapLimitBytes } = memory
  return (
    <Section title="Process">
      <Facts>
        <Fact name="Version">{version}</Fact>
        <Fact name="Started">
          <Time at={startedAt} />
        </Fact>
        <Fact name="Memory">
          {bytes(rssBytes)}; {bytes(heapUsedBytes)} of at most {bytes(heapLimitBytes)} on the heap
        </Fact>
      </Facts>
    </Section>
  )
}
