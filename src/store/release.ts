/** A text that Security Guard rejects, and the decision whether it may be saved all the same. */
export type Release = {
  /** SHA-256 of the text, in hexadecimal; unique. */
  hash: string
  state: 'asked' | 'allowed' | 'declined'
  /** Null if only a hash was given, and once it is declined. */
  text: string | null
  /** Why the guard rejects the text. */
  reason: string | null
  /** What the person who asked gave as a reason. */
  why: string | null
  /** Who asked and who decided, as in the audit log; null if nobody did, or where that was not recorded. */
  askedBy: string | null
  askedAt: number | null
  decidedBy: string | null
  decidedAt: number | null
}

/** Conditions on releases; one that is left out does not narrow. */
export type ReleaseSelection = { state?: Release['state'] | undefined; askedBy?: string | undefined }

export type ReleaseReads = {
  /** Whether the text with this hash may be saved although the guard rejects it. */
  isAllowed: (hash: string) => Promise<boolean>
  findRelease: (hash: string) => Promise<Release | undefined>
  /** Those asked for or decided last come first. */
  listReleases: (selection: ReleaseSelection, page: { offset?: number; limit: number }) => Promise<Release[]>
  countReleases: (selection: ReleaseSelection) => Promise<number>
}

export type ReleaseWrites = {
  /** Adds the release, or replaces the one with its hash. */
  saveRelease: (release: Release) => Promise<void>
  deleteRelease: (hash: string) => Promise<void>
  /** Erases releases asked for before the time and not decided, or declined before it. */
  purgeReleases: (before: number) => Promise<void>
}
