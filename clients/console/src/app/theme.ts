import { effect, signal } from '@preact/signals'
import { ofBrowser } from './storage.js'

/** How the console looks: as the device does, or always light or dark. */
export type Theme = 'system' | 'light' | 'dark'

/** All of them, as people read them. */
export const THEMES: readonly { readonly value: Theme; readonly label: string }[] = [
  { value: 'system', label: 'As the device' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' }
]

const KEY = 'hub.theme'
const isTheme = (text: string | null): text is Theme => text === 'light' || text === 'dark'

const kept = ofBrowser.getItem(KEY)
/** The theme that the browser keeps, whoever is signed in. */
export const theme = signal<Theme>(isTheme(kept) ? kept : 'system')

export function chooseTheme(chosen: Theme): void {
  theme.value = chosen
  if (chosen === 'system') ofBrowser.removeItem(KEY)
  else ofBrowser.setItem(KEY, chosen)
}

effect(() => {
  const { dataset } = document.documentElement
  if (theme.value === 'system') delete dataset.theme
  else dataset.theme = theme.value
})
