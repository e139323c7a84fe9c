/** How often what is shown is asked for again while the page can be seen. */
export const REFRESH_MS = 10_000
