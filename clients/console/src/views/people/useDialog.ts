import { useState } from 'preact/hooks'

/** Whether a dialog is open. */
export function useDialog() {
  const [isOpen, setOpen] = useState(false)
  return { isOpen, open: () => setOpen(true), close: () => setOpen(false) }
}
