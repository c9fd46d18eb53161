/** Log-odds that the second stage must pass before a text is rejected, chosen so that no more harmless texts are refused than before (see docs/security-guard.md). */
export const THRESHOLD_LOG_ODDS = 1.9
