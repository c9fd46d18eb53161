/** Log-odds that the second stage must pass before a text is rejected, the lowest at which no more harmless texts are refused than docs/security-guard.md says. */
export const THRESHOLD_LOG_ODDS = 1.13
