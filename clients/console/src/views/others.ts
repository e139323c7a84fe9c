/** What is opened now and then: it comes when it is. */
export { AccountPage } from './account/AccountPage.js'
export { ApprovePage } from './account/ApprovePage.js'
export { SideBySide } from './environments/SideBySide.js'
export { RunResultPage } from './runs/RunResultPage.js'
export { RunResults } from './runs/RunResults.js'
export { WebhookPage } from './webhooks/WebhookPage.js'
export { Webhooks } from './webhooks/Webhooks.js'
