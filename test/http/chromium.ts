import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

// Debian's Chromium, since what is at stake is what a real browser makes of a page. Where checks run for others it must
// be there.
const EXECUTABLE = '/usr/bin/chromium'
const QUIET = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-quic',
  '--no-first-run',
]

/** Whether tests in a browser are left out. */
export const withoutBrowser = !existsSync(EXECUTABLE) && process.env.CI === undefined
if (withoutBrowser) console.warn(`${EXECUTABLE} is not installed: pages are not tried in a browser`)

/** A browser that speaks to nobody by itself. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: EXECUTABLE, args: QUIET })
}
