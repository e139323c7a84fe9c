import { Button } from '../../ui/Button.js'
import { Dialog } from '../../ui/Dialog.js'

interface LeavingProps {
  readonly name: string
  readonly stay: () => void
  readonly keep: () => void
  readonly discard: () => void
  readonly save: () => unknown
}

/** What to do with changes that are not saved, asked before something else is opened. */
export function Leaving({ name, stay, keep, discard, save }: LeavingProps) {
  return (
    <Dialog
      title="Leave without saving?"
      close={stay}
      actions={
        <>
          <Button kind="danger" onClick={discard}>
            Discard changes
          </Button>
          <Button onClick={keep}>Keep them for later</Button>
          <Button kind="primary" onClick={save}>
            Save
          </Button>
        </>
      }
    >
      <p>
        Your changes to <strong>{name}</strong> are not saved. Kept for later, they wait for you in this tab until it is
        closed.
      </p>
    </Dialog>
  )
}
