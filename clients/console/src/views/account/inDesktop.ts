import { failureOf } from '../../app/hub.js'
import { openInDesktop } from '../../app/ownTokens.js'
import { toast } from '../../ui/kit.js'

/** The way to the desktop, for menus: it is led to the hub as a whole, since its links name no record. */
export const IN_DESKTOP = {
  label: 'Open the hub in the desktop…',
  icon: 'open',
  act: () => void openInDesktop().catch((error: unknown) => toast(failureOf(error).message))
} as const
