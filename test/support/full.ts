/** True for `npm run test:full`: everything on every driver, and at its largest. */
export const isFull = process.env.HUB_TEST_DRIVERS === 'all'
