import { createCipheriv, createDecipheriv, createHash } from 'node:crypto'
import { recordEvent } from '../account/audit/audit.ts'
import type { Actor } from '../account/auth/actor.ts'
import type { AppContext } from '../account/context.ts'
import { Refusal } from '../errors.ts'
import type { Integration } from '../store/integration.ts'
import { type Keyring, readKeyring, requireKeyring, writeKeyring } from './keyring.ts'

/** Names and values of HTTP headers. */
export type Headers = Record<string, string>

type Owner = Pick<Integration, 'id' | 'accountId'>

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Headers as they are kept: `1.<key id>.<nonce, text and tag>`, AES-256-GCM, readable for this integration only. */
export function encrypt(ctx: AppContext, owner: Owner, headers: Headers): string {
  const [key] = requireKeyring(ctx)
  const nonce = ctx.random.bytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(toContext(owner))
  const parts = [nonce, cipher.update(JSON.stringify(headers), 'utf8'), cipher.final(), cipher.getAuthTag()]
  return `1.${idOf(key)}.${Buffer.concat(parts).toString('base64url')}`
}

/** Throws a Refusal when the key is not there any more or the text is not what was kept for this integration. */
export function decrypt(given: AppContext, { id, accountId, slug, headers }: Integration): Headers {
  const [version, keyId, packed = ''] = headers.split('.')
  const key = readKeyring(given).find((candidate) => idOf(candidate) === keyId)
  if (version !== '1' || key === undefined)
    throw new Refusal(`the key that the credentials of integration '${slug}' were encrypted with is missing`)
  const bytes = Buffer.from(packed, 'base64url')
  const cipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES)).setAAD(toContext({ id, accountId }))
  try {
    cipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    return JSON.parse(cipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + cipher.final('utf8'))
  } catch {
    throw new Refusal(`the credentials of integration '${slug}' are damaged`)
  }
}

/**
 * Encrypts every credential anew, with a new key where the key is a file's, else with the first of `SVC_SECRET_KEY`. Returns how many.
 * Cut off anywhere, and beside another of its kind, it leaves every credential readable.
 */
export async function rotateSecret(ctx: AppContext, by: Actor): Promise<number> {
  const { config, random, store } = ctx
  const ofFile = config.secretKeys.length === 0
  const count = await store.control.write(async (tx) => {
    if (ofFile) writeKeyring(ctx, [random.bytes(32), ...readKeyring(ctx)])
    const integrations = await tx.listIntegrations()
    for (const integration of integrations)
      await tx.updateIntegration(integration.id, { headers: encrypt(ctx, integration, decrypt(ctx, integration)) })
    await recordEvent(ctx, tx, by, { act: 'secret.rotate', details: { credentials: integrations.length } })
    return integrations.length
  })
  if (ofFile) await store.control.write(async (tx) => writeKeyring(ctx, keysInUse(ctx, await tx.listIntegrations())))
  return count
}

/** The first key, which encrypts, and those that something is still encrypted with. */
function keysInUse(ctx: AppContext, integrations: Integration[]): Keyring {
  const [first, ...others] = requireKeyring(ctx)
  const used = new Set(integrations.map(({ headers }) => headers.split('.')[1]))
  return [first, ...others.filter((key) => used.has(idOf(key)))]
}

const idOf = (key: Uint8Array) => createHash('sha256').update('memsvc key id').update(key).digest('hex').slice(0, 8)

const toContext = ({ id, accountId }: Owner) => Buffer.from(`integration ${accountId} ${id}`)
