/** A text that the Security Guard rejects, and the decision whether it may be saved anyway. */
export type Release = {
  /** SHA-256 of the text, in hexadecimal; unique. */
  hash: string
  state: 'asked' | 'allowed' | 'declined'
  /** Null if only a hash was given, and once it is declined. */
  text: string | null
  /** Why the guard rejects the text. */
  reason: string | null
  /** The reason given by the person who asked. */
  why: string | null
  /** Who asked and who decided, as in the audit log; null if nobody did, or it was not recorded. */
  askedBy: string | null
  askedAt: number | null
  decidedBy: string | null
  decidedAt: number | null
}

/** Conditions on releases; an omitted one does not restrict. */
export type ReleaseSelection = { state?: Release['state'] | undefined; askedBy?: string | undefined }

export type ReleaseReads = {
  findRelease: (hash: string) => Promise<Release | undefined>
  /** Most recently requested or decided first. */
  listReleases: (selection: ReleaseSelection, page: { offset?: number; limit: number }) => Promise<Release[]>
  countReleases: (selection: ReleaseSelection) => Promise<number>
}

export type ReleaseWrites = {
  /** Adds the release, or replaces the one with its hash. */
  saveRelease: (release: Release) => Promise<void>
  /** Erases a release, or those asked for before the time and not decided, or declined before it. */
  deleteReleases: (which: { hash: string } | { before: number }) => Promise<void>
}
