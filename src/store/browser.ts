/** Browsers in which a member signed in before. A digest is the SHA-256 of the token in the browser's cookie, in hexadecimal. */
export type BrowserReads = {
  /** Whose browser it is. */
  findBrowserMember: (digest: string) => Promise<string | undefined>
}

export type BrowserWrites = {
  /** Notes that a member signed in with this browser, and forgets all but the `most` of theirs that were used last. `usedAt` in milliseconds since 1970. */
  saveBrowser: (browser: { digest: string; memberId: string; usedAt: number }, most: number) => Promise<void>
  deleteBrowsers: (memberId: string) => Promise<void>
  /** Erases those last used before the time. */
  purgeBrowsers: (before: number) => Promise<void>
}
