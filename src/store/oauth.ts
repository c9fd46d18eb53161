import type { KeyHolder, Use } from './key.ts'

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

/** A person's consent in progress: first the question to the person, then the authorization code for the application. */
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

/** Conditions on connections; an omitted one does not restrict. `memberId` is the holder of the key that a connection was made with. */
export type ConnectionSelection = {
  id?: string | undefined
  accountId?: string | undefined
  projectId?: string | undefined
  memberId?: string | undefined
}

/** A page of connections: those after one of them, at most `limit`. */
export type ConnectionPage = { after?: Pick<Connection, 'id' | 'createdAt'> | undefined; limit?: number | undefined }

export type OAuthReads = {
  findClient: (id: string) => Promise<OAuthClient | undefined>
  /** An expired one too. */
  findGrant: (digest: string, stage: Grant['stage']) => Promise<Grant | undefined>
  /** An ended one too. The engine may answer from memory, never with what was true before the last commit. */
  findConnectionHolder: (tokenDigest: string) => Promise<ConnectionHolder | undefined>
  findConnectionHolderByCode: (codeDigest: string) => Promise<ConnectionHolder | undefined>
  /** Ended ones too, newest first. */
  listConnections: (selection: ConnectionSelection, page?: ConnectionPage) => Promise<ConnectionHolder[]>
  /** Connections of a key, ended ones too. */
  countConnections: (keyId: string) => Promise<number>
}

export type OAuthWrites = {
  /** Adds the client, or replaces the one with its id. */
  saveClient: (client: OAuthClient) => Promise<void>
  markClientUsed: (id: string, usedAt: number) => Promise<void>
  /**
   * Erases clients neither read nor used since `before`; of those never used, also the ones not read since `unusedBefore` and all but the `keepUnused` read
   * last.
   */
  purgeClients: (bounds: { before: number; unusedBefore: number; keepUnused: number }) => Promise<void>
  insertGrant: (grant: Grant) => Promise<void>
  deleteGrant: (digest: string) => Promise<void>
  /** Erases grants that expired before the time. */
  purgeGrants: (before: number) => Promise<void>
  insertConnection: (connection: Connection) => Promise<void>
  updateConnection: (id: string, change: Pick<Connection, 'revokedAt'>) => Promise<void>
  /** Sets when connections were last used, unless a later time is set. Does not change the control version. */
  saveConnectionUses: (uses: Use[]) => Promise<void>
  /** Erases the revoked connections of a key. */
  purgeRevokedConnections: (keyId: string) => Promise<void>
  /** Erases connections that expired before the time. */
  purgeConnections: (before: number) => Promise<void>
}
