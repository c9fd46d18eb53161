import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { MAX_PASSPHRASE_CHARACTERS, MIN_PASSPHRASE_CHARACTERS } from '../config/values.ts'
import { Refusal } from '../errors.ts'
import { normalize } from '../text/normalize.ts'

/**
 * Cost of scrypt: 64 MiB and about 0.2 s per guess. It is stored in the text, but any other cost is refused when
 * reading.
 */
const COST = { N: 2 ** 16, r: 8, p: 1 }
const MAX_MEMORY_BYTES = 128 * 2 ** 20
const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const SALT_BYTES = 16
const NONCE_BYTES = 12
const TAG_BYTES = 16

type Sealed = {
  kdf: 'scrypt'
  N: number
  r: number
  p: number
  salt: string
  cipher: typeof CIPHER
  nonce: string
  tag: string
  data: string
}

/** Throws a Refusal for a passphrase that is too short, or much too long. */
function requirePassphrase(passphrase: string): string {
  if (passphrase.length < MIN_PASSPHRASE_CHARACTERS || passphrase.length > MAX_PASSPHRASE_CHARACTERS)
    throw new Refusal(
      `the passphrase must have ${MIN_PASSPHRASE_CHARACTERS} to ${MAX_PASSPHRASE_CHARACTERS} characters`,
    )
  return passphrase
}

/**
 * Encrypts and authenticates a secret with a key that scrypt (RFC 7914) makes of a passphrase. The text, which is JSON,
 * says how.
 */
export async function seal(secret: Uint8Array, passphrase: string): Promise<string> {
  const [salt, nonce] = [randomBytes(SALT_BYTES), randomBytes(NONCE_BYTES)]
  const cipher = createCipheriv(CIPHER, await toKey(requirePassphrase(passphrase), salt), nonce)
  const data = Buffer.concat([cipher.update(secret), cipher.final()])
  const sealed: Sealed = {
    kdf: 'scrypt',
    ...COST,
    salt: salt.toHex(),
    cipher: CIPHER,
    nonce: nonce.toHex(),
    tag: cipher.getAuthTag().toHex(),
    data: data.toHex(),
  }
  return `${JSON.stringify(sealed)}\n`
}

/** Throws a Refusal for another passphrase, and for a text that `seal` did not make. */
export async function unseal(text: string, passphrase: string): Promise<Uint8Array> {
  const { salt, nonce, tag, data } = readSealed(text)
  const decipher = createDecipheriv(CIPHER, await toKey(passphrase, salt), nonce, { authTagLength: TAG_BYTES })
  decipher.setAuthTag(tag)
  try {
    return Buffer.concat([decipher.update(data), decipher.final()])
  } catch {
    throw new Refusal('the passphrase is not the one that the key was encrypted with')
  }
}

const toKey = (passphrase: string, salt: Uint8Array) =>
  deriveKey(normalize(passphrase, 'NFKC'), salt, KEY_BYTES, { ...COST, maxmem: MAX_MEMORY_BYTES })

const deriveKey = promisify<string, Uint8Array, number, typeof COST & { maxmem: number }, Buffer>(scrypt)

function readSealed(text: string): Record<'salt' | 'nonce' | 'tag' | 'data', Uint8Array> {
  try {
    const { kdf, N, r, p, cipher, ...parts } = JSON.parse(text) as Sealed
    const isOurs = kdf === 'scrypt' && N === COST.N && r === COST.r && p === COST.p && cipher === CIPHER
    const [salt, nonce, tag, data] = [parts.salt, parts.nonce, parts.tag, parts.data].map((hex) =>
      Uint8Array.fromHex(hex),
    )
    if (isOurs && salt && nonce?.length === NONCE_BYTES && tag?.length === TAG_BYTES && data)
      return { salt, nonce, tag, data }
  } catch {}
  throw new Refusal('the encrypted key is damaged, or of another version')
}
