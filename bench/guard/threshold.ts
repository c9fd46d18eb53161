/** Log-odds that the second stage must pass before a text is rejected, chosen by cross-validation (see docs/security-guard.md). */
export const THRESHOLD_LOG_ODDS = 2.25
