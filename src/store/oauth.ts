import type { KeyHolder } from './account.ts'

/** An application that may ask for access by OAuth. */
export type OAuthClient = {
  /** Our own id of a registration, or the URL of the client's metadata document. */
  id: string
  kind: 'registration' | 'document'
  /** What the application calls itself; empty when it gave no name. */
  name: string
  redirectUris: string[]
  /** SHA-256 of the secret, in hexadecimal; null for a client without one. */
  secretDigest: string | null
  /** When it registered, or when its document was last read. */
  readAt: number
  /** When it last got a connection; null until then. */
  usedAt: number | null
}

/**
 * A person's consent in progress: first the question to the person, then the authorization code for the application.
 */
export type Grant = {
  /** SHA-256 of what the bearer presents, in hexadecimal; unique. */
  digest: string
  stage: 'asked' | 'allowed'
  clientId: string
  keyId: string
  redirectUri: string
  resource: string
  /** The S256 code challenge. */
  challenge: string
  /** The application's `state`, given back to it; null when it sent none. */
  state: string | null
  expiresAt: number
}

/** An application's access by token, tied to the key that was entered for it. The token itself is not stored. */
export type Connection = {
  id: string
  /** SHA-256 of the token, in hexadecimal; unique. */
  tokenDigest: string
  /** SHA-256 of the authorization code it came from, so that a second use of the code is noticed; unique. */
  codeDigest: string
  clientId: string
  /** The application's name and the host of its redirect URI, as the person saw them when consenting. */
  clientName: string
  clientHost: string
  keyId: string
  resource: string
  createdAt: number
  expiresAt: number
  revokedAt: number | null
  lastUsedAt: number | null
}

/** A connection with its key, project, account and member. */
export type ConnectionHolder = KeyHolder & { connection: Connection }

/**
 * Conditions on connections; an omitted one does not restrict. `memberId` is the holder of the key that a connection
 * was made with.
 */
export type ConnectionSelection = {
  id?: string | undefined
  codeDigest?: string | undefined
  accountId?: string | undefined
  projectId?: string | undefined
  memberId?: string | undefined
}

/** A page of connections: those after one of them, at most `limit`. */
type ConnectionPage = { after?: Pick<Connection, 'id' | 'createdAt'> | undefined; limit?: number | undefined }

export type OAuthReads = {
  /** An ended one too. The engine may answer from memory, never with what was true before the last commit. */
  findConnectionHolder: (tokenDigest: string) => Promise<ConnectionHolder | undefined>
  /** Ended ones too, newest first. */
  listConnections: (selection: ConnectionSelection, page?: ConnectionPage) => Promise<ConnectionHolder[]>
}
