import { version } from '../package.json'
import { readCommit } from './version.macro.ts' with { type: 'macro' }

/** The version of this executable. */
export const VERSION: string = version

const COMMIT = /^([0-9a-f]{7,40}\+?) (\d{4}-\d\d-\d\d)$/.exec(readCommit())

/**
 * The version with the commit and date of the build, if known: `0.1.0 (commit 1a2b3c4 of 2026-01-31)`. A `+` after the
 * commit means uncommitted changes.
 */
export const VERSION_AND_COMMIT: string = COMMIT === null ? VERSION : `${VERSION} (commit ${COMMIT[1]} of ${COMMIT[2]})`
