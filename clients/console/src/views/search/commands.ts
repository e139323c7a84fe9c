import { creating } from '../../app/creating.js'
import { ANY_FILE, importing, mayImport } from '../../app/importing.js'
import { mayOpenInDesktop } from '../../app/ownTokens.js'
import { isPlaceFor } from '../../app/places.js'
import { mayCreate } from '../../app/records.js'
import { go, leaving, linkTo } from '../../app/route.js'
import { signOut } from '../../app/session.js'
import { chooseTheme, THEMES } from '../../app/theme.js'
import { ALONE, wordFor } from '../../model/records.js'
import type { IconName } from '../../ui/kit.js'
import { IN_DESKTOP } from '../account/inDesktop.js'
import { areKeysShown } from '../Keys.js'
import { FOR_ALL, FOR_MANAGING } from '../Navigation.js'
import { offered } from '../offered.js'

/** Something that the palette does, or a place that it leads to. */
export interface Command {
  readonly id: string
  readonly name: string
  readonly icon: IconName
  readonly act: () => unknown
  /** The record that it is about, where it is about one. */
  readonly where?: string
  /** Whether the palette stays open. */
  readonly isStaying?: true
}

const MORE_PLACES = [
  { step: '', label: 'Collections', icon: 'hub' },
  { step: 'compare-environments', label: 'Environments side by side', icon: 'environment' },
  { step: 'notices', label: 'Notices', icon: 'bell' },
  { step: 'account', label: 'Your account', icon: 'token' },
  { step: 'webhooks', label: 'Webhooks', icon: 'live' }
] as const

/** So many are offered at most, and from so many letters on. */
const MOST = 8
const LETTERS_LEAST = 2

/** What whoever is signed in may do here, whose name has the words that are typed, or their beginnings. */
export function commandsFor(typed: string): readonly Command[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.join('').length < LETTERS_LEAST) return []
  const has = (name: string) => {
    const own = name.toLowerCase().split(/[\s:]+/)
    return words.every((word) => own.some((one) => one.startsWith(word)))
  }
  return allCommands()
    .filter(({ name }) => has(name))
    .slice(0, MOST)
}

function allCommands(): readonly Command[] {
  const kinds = ALONE.filter(mayCreate)
  const places = [...MORE_PLACES, ...[...FOR_ALL, ...FOR_MANAGING].filter(({ who }) => isPlaceFor(who))]
  const steps = new Map(places.map((place) => [place.step, place]))
  return [
    ...offered().map(({ of, label, icon, act }) => ({ ...command(label, icon, act), where: of })),
    ...kinds.map((kind) => command(`New ${wordFor(kind)}`, 'plus', () => (creating.value = { kind }))),
    ...(mayImport() ? [command('Import a file', 'import', () => (importing.value = ANY_FILE))] : []),
    ...[...steps.values()].map(({ step, label, icon }) =>
      command(`Go to ${label}`, icon, () => go(linkTo(step === '' ? [] : [step])))
    ),
    ...THEMES.map(({ value, label }) => command(`Theme: ${label.toLowerCase()}`, 'edit', () => chooseTheme(value))),
    ...(mayOpenInDesktop() ? [command(IN_DESKTOP.label, IN_DESKTOP.icon, () => leaving(IN_DESKTOP.act))] : []),
    command('Show keys', 'more', () => (areKeysShown.value = true)),
    command('Sign out', 'leave', () => leaving(() => void signOut(), true))
  ]
}

const command = (name: string, icon: IconName, act: () => unknown): Command => ({ id: `do-${name}`, name, icon, act })
