import type { ConsoleHub } from '../hub.js'

interface Planned {
  readonly moment: string
  readonly act: () => Promise<void>
}

/** What happens on a hub, each thing at its moment, in whatever order it is told. */
export class Timeline {
  readonly #planned: Planned[] = []

  /** Plans something for a minute of UTC such as `2026-02-24T09:00`; what it leaves is there once it has happened, so what comes later may wait for it. */
  at<T>(moment: string, act: () => Promise<T>): Promise<T> {
    const left = new Promise<T>((resolve, reject) => {
      this.#planned.push({
        moment,
        act: () =>
          act().then(resolve, (error: unknown) => {
            reject(error)
            throw error
          })
      })
    })
    // Whoever carries it out is told.
    left.catch(() => {})
    return left
  }

  /** Carries everything out, moving the clock of the hub. */
  async run({ clock }: ConsoleHub): Promise<void> {
    for (const { moment, act } of this.#planned.toSorted((a, b) => (a.moment < b.moment ? -1 : 1))) {
      clock.set(`${moment}:00.000Z`)
      await act()
    }
  }
}
