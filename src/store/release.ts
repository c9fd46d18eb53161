/** A text that the guard rejects, and what became of the question whether it may be saved all the same. Times are milliseconds since 1970. */
export type Release = {
  /** SHA-256 of the text, in hexadecimal. */
  hash: string
  state: 'asked' | 'allowed' | 'declined'
  /** Null where only a hash was given, and once it is declined. */
  text: string | null
  /** What the guard said of the text. */
  reason: string | null
  /** What the person who asked said for it. */
  why: string | null
  /** Who asked and who decided, as the audit log calls them; null where nobody did, or where that was not kept. */
  askedBy: string | null
  askedAt: number | null
  decidedBy: string | null
  decidedAt: number | null
}

/** Which of them; what is left out does not narrow. */
export type ReleaseSelection = { state?: Release['state'] | undefined; askedBy?: string | undefined }

export type ReleaseReads = {
  /** Whether a text with this hash may pass the guard. */
  isAllowed: (hash: string) => Promise<boolean>
  findRelease: (hash: string) => Promise<Release | undefined>
  /** Those asked for or decided last come first. */
  listReleases: (selection: ReleaseSelection, part: { offset?: number; limit: number }) => Promise<Release[]>
  countReleases: (selection: ReleaseSelection) => Promise<number>
}

export type ReleaseWrites = {
  /** Replaces what is there of its hash. */
  saveRelease: (release: Release) => Promise<void>
  deleteRelease: (hash: string) => Promise<void>
  /** Erases what was asked for, or declined, before the time. */
  purgeReleases: (before: number) => Promise<void>
}
