import type { Schemas } from '@collections-hub/client'
import { useState } from 'preact/hooks'
import { failureOf } from '../../app/hub.js'
import { useLoadable } from '../../app/loaded.js'
import { linkTo } from '../../app/route.js'
import { hub } from '../../app/session.js'
import { useEvery } from '../../app/useEvery.js'
import { duration } from '../../model/health.js'
import { Button } from '../../ui/Button.js'
import { Notice } from '../../ui/Notice.js'
import { Section } from '../../ui/Section.js'
import { Show } from '../../ui/Show.js'
import { toast } from '../../ui/toasts.js'
import css from './Blocks.module.css'
import { REFRESH_MS } from './refresh.js'

type Block = Schemas['BlockedAddress']

const FAILED: Readonly<Record<Block['failuresWith'], string>> = {
  oneSecret: 'failed to sign in too often with one token',
  anySecret: 'failed to sign in too often with one token or another',
  invitations: 'tried invitations that are none too often'
}

/** Addresses that may not sign in for a while, and letting them try again. */
export function Blocks() {
  const blocks = useLoadable(async (signal) => {
    const { body } = await hub().request('GET', '/admin/throttle', { signal })
    return body.blocks
  }, [])
  useEvery(REFRESH_MS, () => void blocks.reload())
  return (
    <Section title="Blocked addresses">
      <Show of={blocks}>
        {(all) =>
          all.length === 0 ? (
            <p class={css.none}>No address is blocked.</p>
          ) : (
            <ul class={css.blocks}>
              {all.map((block) => (
                <BlockRow key={`${block.address} ${block.failuresWith}`} block={block} done={blocks.reload} />
              ))}
            </ul>
          )
        }
      </Show>
    </Section>
  )
}

function BlockRow({ block, done }: { readonly block: Block; readonly done: () => Promise<void> }) {
  const { address, failuresWith, seconds } = block
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const unblock = async () => {
    setBusy(true)
    setFault(undefined)
    try {
      await hub().request('DELETE', '/admin/throttle/{address}', { path: { address } })
      toast(`${address} may try again.`)
    } catch (error) {
      const { status, message } = failureOf(error)
      // Its time is over, or somebody else was first.
      if (status !== 404) setFault(message)
    }
    await done()
    setBusy(false)
  }
  return (
    <li class={css.block}>
      <p>
        <a href={linkTo(['audit'], { address })}>
          <bdi>{address}</bdi>
        </a>{' '}
        {FAILED[failuresWith]}.<span class={css.left}>Blocked for {duration(seconds)} more.</span>
      </p>
      <Button isBusy={isBusy} onClick={unblock} aria-label={`Unblock ${address}`}>
        Unblock
      </Button>
      {fault !== undefined && <Notice tone="bad">{fault}</Notice>}
    </li>
  )
}
