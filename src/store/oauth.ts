import type { Soon } from '../soon.ts'
import type { KeyHolder, Use } from './control.ts'

/** An application that may ask for access. Times here and below are milliseconds since 1970. */
export type OAuthClient = {
  /** Our own id of a registration, or the address of the client's metadata document. */
  id: string
  kind: 'registration' | 'document'
  /** What the application calls itself; empty when it gave no name. */
  name: string
  redirectUris: string[]
  /** SHA-256 of the secret, in hexadecimal; null for a client that has none. */
  secretDigest: string | null
  /** When it registered, or when its document was last read. */
  readAt: number
  /** When it last got a connection; null until then. */
  usedAt: number | null
}

/** A key's consent on its way to a connection: first the question put to the person, then the code given to the application. */
export type Grant = {
  /** SHA-256 of what its bearer presents, in hexadecimal. */
  digest: string
  stage: 'asked' | 'allowed'
  clientId: string
  keyId: string
  redirectUri: string
  resource: string
  /** The S256 code challenge. */
  challenge: string
  /** The application's own, given back to it; null when it sent none. */
  state: string | null
  expiresAt: number
}

/** An application's access by token, tied to the key that was entered for it. The token itself is nowhere kept. */
export type Connection = {
  id: string
  /** SHA-256 of the token, in hexadecimal. */
  tokenDigest: string
  /** SHA-256 of the code it came from, so that a second use of the code is known. */
  codeDigest: string
  clientId: string
  /** The application's name and the host it was sent back to, as the person saw them. */
  clientName: string
  clientHost: string
  keyId: string
  resource: string
  createdAt: number
  expiresAt: number
  revokedAt: number | null
  lastUsedAt: number | null
}

/** A connection with all that it opens. */
export type ConnectionHolder = KeyHolder & { connection: Connection }

/** Which connections are read; what is left out does not narrow. */
export type ConnectionSelection = { id?: string | undefined; accountId?: string | undefined; projectId?: string | undefined }

export type OAuthReads = {
  findClient: (id: string) => Promise<OAuthClient | undefined>
  findGrant: (digest: string, stage: Grant['stage']) => Promise<Grant | undefined>
  findHolderOfKey: (keyId: string) => Promise<KeyHolder | undefined>
  /** Kept in memory until anybody changes what it gives. */
  findConnectionHolder: (tokenDigest: string) => Soon<ConnectionHolder | undefined>
  findConnectionHolderByCode: (codeDigest: string) => Promise<ConnectionHolder | undefined>
  /** Ended ones too, newest first. */
  listConnections: (selection: ConnectionSelection) => Promise<ConnectionHolder[]>
}

export type OAuthWrites = {
  /** Adds the client, or replaces the one of this id. */
  saveClient: (client: OAuthClient) => Promise<void>
  markClientUsed: (id: string, usedAt: number) => Promise<void>
  /** Erases clients neither read nor used since `before`; of those never used, the ones not read since `unusedBefore` and all but the newest `keepUnused`. */
  purgeClients: (bounds: { before: number; unusedBefore: number; keepUnused: number }) => Promise<void>
  insertGrant: (grant: Grant) => Promise<void>
  deleteGrant: (digest: string) => Promise<void>
  /** Erases grants that expired before the time. */
  purgeGrants: (before: number) => Promise<void>
  insertConnection: (connection: Connection) => Promise<void>
  updateConnection: (id: string, change: Pick<Connection, 'revokedAt'>) => Promise<void>
  /** Notes when connections were used, unless a later use is noted. What is kept in memory of them stays. */
  saveConnectionUses: (uses: Use[]) => Promise<void>
  /** Erases connections that expired before the time. */
  purgeConnections: (before: number) => Promise<void>
}
