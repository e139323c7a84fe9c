import { Button, CopyField, Dialog, Notice } from '../../ui/kit.js'
import { Uncopied, useKeeping } from '../people/Issued.js'

/** The signing secret of a webhook, shown this once, in a dialog that nobody closes without having kept it. */
export function SecretDialog({ secret, close }: { readonly secret: string; readonly close: () => void }) {
  const keeping = useKeeping()
  const leave = () => keeping.leave(close)
  return (
    <Dialog
      title="Signing secret"
      close={leave}
      actions={
        <Button kind="primary" onClick={leave}>
          Done
        </Button>
      }
    >
      <Notice tone="note">
        Your program checks with it that a message is from this hub, by any library for Standard Webhooks. It is shown
        this once.
      </Notice>
      <CopyField label="Secret" value={secret} onCopy={keeping.kept} />
      <Uncopied keeping={keeping} isOneOfMany />
    </Dialog>
  )
}
