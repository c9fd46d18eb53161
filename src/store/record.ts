/** Who may see a record: `*` everyone of the project, `d:<department id>` callers of the department, `a:<author id>` its author alone. */
export type Audience = string

/** The audiences of a caller, three at most; records of other audiences are not visible. An empty list sees nothing. `undefined` is the operator, who sees all. */
export type Visible = Audience[] | undefined

/** A record. Strings are returned exactly as they were saved. */
export type StoredRecord = {
  /**
   * Positive whole number below 2^32: of two records of a project the one saved later has the larger number. Gaps may be of any size, and the number of
   * an erased record may be given again, so nothing above the store keeps numbers beyond the version of the project they were read at.
   */
  seq: number
  /** Unique in the project. */
  id: string
  workspaceId: number
  audience: Audience
  authorId: string
  content: string
  factKey: string
  /** Whether the caller named the fact key; otherwise it was derived from the content. */
  factKeyGiven: boolean
  status: 'unverified' | 'verified' | 'superseded'
  /** Id of the record that supersedes this one. */
  supersededBy: string | null
  sourceId: string | null
  sourceHash: string | null
  createdAt: number
  /** When it was last saved again, which made no other record; null if it was not. It was last saved then, or else at `createdAt`. */
  refreshedAt: number | null
  expiresAt: number | null
  /** When a person verified it; kept while it is superseded, so that it is verified again should it return. */
  verifiedAt: number | null
  /** Whether an assistant forgot it although it was verified, and no person has looked at that yet. */
  needsReview: boolean
  /** When it was forgotten: it is in the trash then, not in the index, and in no read that does not say so. */
  forgottenAt: number | null
}

/** A record without its content, which may be long. */
export type RecordHead = Omit<StoredRecord, 'content'>

/** What the index holds of a record. */
export type IndexEntry = {
  /** Terms with a space between them: letters, digits, marks and symbols, in lower case. */
  terms: string
  /** Language (ISO 639-1) by whose rules the terms were made. */
  language: string
  /** Length of the text in tokens, at least 1. */
  length: number
  /** The tokens encoded, so that scoring need not read the text; null if the text is hardly longer. */
  codes: Uint8Array | null
  /** Version of the analyzer that made the terms. */
  rules: number
}

/** A record before the store has given it a number, with its entry for the index. */
export type NewRecord = Omit<StoredRecord, 'seq'> & { entry: IndexEntry }

/** Status of a record that is neither superseded nor forgotten. */
export type CurrentStatus = 'unverified' | 'verified'

/**
 * What a record states under its fact key. Its rivals are the current records with the same fact key, given or derived, the same workspace and
 * audience and another content. Keys and contents are compared as `text/comparable.ts` says.
 */
export type Fact = Pick<StoredRecord, 'workspaceId' | 'audience' | 'factKey' | 'content'>

/** What a record states under its fact key; under a derived key it has no rivals. */
export type FactOfRecord = Fact & Pick<StoredRecord, 'factKeyGiven'>

/**
 * Place of a record among those of its fact: the later one holds. `at` is when it was verified, or else saved (milliseconds since 1970); of two with the same
 * time the one with the larger number is later.
 */
export type Rank = { at: number; seq: number }

/**
 * The fields in which two saves of the same record agree: content and fact key as `text/comparable.ts` compares them, whether the key was given or
 * derived, and the author only where there is no source.
 */
export type SavedFields = Pick<StoredRecord, 'workspaceId' | 'audience' | 'authorId' | 'content' | 'factKey' | 'sourceId'>

/** A state of a source, as one audience or all that a caller sees may have saved it. */
export type StateOfSource = Source & { visible: Visible; hash: string }

/** Numbers of a verified record and of a rival of it. */
export type Conflict = { verified: number; other: number }

/** What counts against the plan: records that are not forgotten, and the bytes of their contents in UTF-8. `saveSequence` is that of the last save of a source. */
export type Usage = { records: number; contentBytes: number; saveSequence: number }

/** A source of a workspace. */
export type Source = { workspaceId: number; sourceId: string }

/** A source that an import of a folder brought: `root` is the path of the folder. */
export type ImportedSource = Source & { root: string }

/** The hash last saved for a source by saves of one audience. `saveSequence` numbers the saves of sources in a project: a later save has a larger one. */
export type SourceState = { hash: string; saveSequence: number }
