import { useState } from 'preact/hooks'
import { Button } from './Button.js'
import css from './Secret.module.css'

/** A value that is masked until somebody asks to see it. */
export function Secret({ value }: { readonly value: string }) {
  const [isShown, setShown] = useState(false)
  return (
    <span class={css.secret}>
      {isShown ? (
        <bdi>{value}</bdi>
      ) : (
        <span role="img" aria-label="masked">
          ••••••••
        </span>
      )}
      <Button kind="quiet" onClick={() => setShown(!isShown)}>
        {isShown ? 'Mask' : 'Show'}
      </Button>
    </span>
  )
}
