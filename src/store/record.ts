import type { Language } from '../text/language.ts'

/**
 * Who may see a record: `*` everyone of the project, `d:<department id>` callers of the department, `a:<author id>` its
 * author alone.
 */
export type Audience = string

/**
 * The audiences of a caller, at most three; records of other audiences are invisible. An empty list sees nothing.
 * `undefined` is the operator, who sees everything.
 */
export type Visible = Audience[] | undefined

/** A record. Strings are returned exactly as they were saved. */
export type StoredRecord = {
  /**
   * Positive integer below 2^32; of two records of a project the one saved later has the larger number. There may be
   * gaps of any size, and the number of an erased record may be reused, so nothing above the store keeps numbers beyond
   * the project version at which they were read.
   */
  seq: number
  /** Unique in the project. */
  id: string
  workspaceId: number
  audience: Audience
  authorId: string
  content: string
  /**
   * Phrases that somebody may ask for it with, one a line, those given last first; null without any. Indexed beside the
   * content, and seen by the same audience.
   */
  askedAs: string | null
  factKey: string
  /** Whether the fact key was given, not derived from the content. */
  factKeyGiven: boolean
  status: 'unverified' | 'verified' | 'superseded'
  /** Id of the record that supersedes this one. */
  supersededBy: string | null
  sourceId: string | null
  sourceHash: string | null
  createdAt: number
  /**
   * When it was last refreshed by a save that created no other record; null if never. The time of its last save is
   * this, or else `createdAt`.
   */
  refreshedAt: number | null
  expiresAt: number | null
  /** When a person verified it; kept while it is superseded, so that it is verified again if it returns. */
  verifiedAt: number | null
  /** Whether an assistant forgot it although it was verified, and no person has looked at that yet. */
  needsReview: boolean
  /** Whether the guard marked its text, and no person has verified the record since. */
  marked: boolean
  /** When it was forgotten: it is then in the trash, not in the index, and no read returns it unless it says so. */
  forgottenAt: number | null
}

/** The texts by which a record is found. */
export type RecordTexts = Pick<StoredRecord, 'content' | 'askedAs'>

/** The phrases of a record. */
export const phrasesOf = ({ askedAs }: Pick<StoredRecord, 'askedAs'>): string[] => askedAs?.split('\n') ?? []

/** Phrases as a record has them. */
export const joinPhrases = (phrases: string[]): string | null => (phrases.length === 0 ? null : phrases.join('\n'))

/** Bytes of UTF-8 that a record counts against the plan. */
export const bytesOf = ({ content, askedAs }: RecordTexts): number =>
  Buffer.byteLength(content, 'utf8') + Buffer.byteLength(askedAs ?? '', 'utf8')

/** A record without its content, which may be long. */
export type RecordHead = Omit<StoredRecord, 'content'>

/** What the index stores about a record. */
export type IndexEntry = {
  /** Terms with a space between them: letters, digits, marks and symbols, in lower case. */
  terms: string
  /** Language in which the texts were analyzed. */
  language: Language
  /** Length of the content in tokens, at least 1. */
  length: number
  /** The encoded tokens, so that scoring need not read the text; null if they would be about as large as the text. */
  codes: Uint8Array | null
  /** Version of the analyzer that made the terms. */
  rules: number
}

/** A record before the store has given it a number, with its entry for the index. */
export type NewRecord = Omit<StoredRecord, 'seq'> & { entry: IndexEntry }

/** Status of a record that is neither superseded nor forgotten. */
export type CurrentStatus = 'unverified' | 'verified'

/**
 * A fact: what a record states under its fact key. Its rivals are the current records with the same fact key (given or
 * derived), workspace and audience, and another content. Keys and contents are compared in the form of
 * `text/comparable.ts`.
 */
export type Fact = Pick<StoredRecord, 'workspaceId' | 'audience' | 'factKey' | 'content'>

/** A fact, and whether its key was given; under a derived key a record has no rivals. */
export type FactOfRecord = Fact & Pick<StoredRecord, 'factKeyGiven'>

/**
 * Rank of a record within its fact: the one of latest rank is current. `at` is when it was verified, or else saved
 * (milliseconds since 1970); at the same time, the larger number is later.
 */
export type Rank = { at: number; seq: number }

/**
 * The fields that identify a save: two saves with equal fields are the same record. Content and fact key are compared
 * in the form of `text/comparable.ts`; the author counts only without a source.
 */
export type SavedFields = Pick<
  StoredRecord,
  'workspaceId' | 'audience' | 'authorId' | 'content' | 'factKey' | 'sourceId'
>

/** A state of a source, as saved by one of the visible audiences. */
export type StateOfSource = Source & { visible: Visible; hash: string }

/** Numbers of a verified record and of a rival of it. */
export type Conflict = { verified: number; other: number }

/**
 * What counts against the plan: the number of records that are not forgotten, and the bytes of their contents and
 * phrases in UTF-8.
 */
export type Usage = { records: number; contentBytes: number }

/** A source of a workspace. */
export type Source = { workspaceId: number; sourceId: string }

/** A source that was imported from the folder `root`. */
export type ImportedSource = Source & { root: string }

/**
 * The hash most recently saved for a source by one audience. `saveSequence` is the time of that save in milliseconds
 * since 1970, or one more than at the save before where the clock did not advance. It depends on saves of the same
 * audience alone, so that it tells nobody of others.
 */
export type SourceState = { hash: string; saveSequence: number }
