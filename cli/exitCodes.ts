/** How a command ends, for whoever reads the exit code. */
export const EXIT = { done: 0, refused: 1, misused: 2 } as const

/** What each of them means. */
export const EXIT_MEANINGS = [
  [EXIT.done, 'what was asked for is done, or printed; a list may be empty'],
  [
    EXIT.refused,
    'it was refused or failed, what was named is not there, or what was verified does not hold: stderr says why'
  ],
  [EXIT.misused, 'the arguments are no command of the hub, or lack something that it needs: nothing was looked at']
] as const
