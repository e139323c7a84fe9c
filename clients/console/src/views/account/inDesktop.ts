import { openInDesktop } from '../../app/ownTokens.js'
import { tellFailure } from '../../ui/kit.js'

/** The way to the desktop, for menus: it is led to the hub as a whole, since its links name no record. */
export const IN_DESKTOP = {
  label: 'Open the hub in the desktop…',
  icon: 'open',
  act: () => void openInDesktop().catch(tellFailure)
} as const
