import { createCipheriv, createDecipheriv, createHash } from 'node:crypto'
import { recordEvent } from '../account/audit/audit.ts'
import type { Actor } from '../account/auth/actor.ts'
import type { AppContext } from '../account/context.ts'
import { Refusal } from '../errors.ts'
import type { Integration } from '../store/integration.ts'
import { newKey, readKeyring, updateKeyFile } from './keyring.ts'

/** Names and values of HTTP headers. */
export type Headers = Record<string, string>

type Owner = Pick<Integration, 'id' | 'accountId'>

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts an integration's headers as `1.<key id>.<nonce, ciphertext and tag in base64url>`, bound to the integration.
 * Throws a Refusal if there is no key; see `ensureKeyring`. Must be called within the write that stores the result,
 * because a rotation re-encrypts what was stored before its own write.
 */
export function encryptHeaders(ctx: Pick<AppContext, 'config' | 'random'>, owner: Owner, headers: Headers): string {
  const [key] = readKeyring(ctx)
  if (key === undefined) throw new Refusal('there is no key to encrypt credentials with')
  const nonce = ctx.random.bytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(toAad(owner))
  const parts = [nonce, cipher.update(JSON.stringify(headers), 'utf8'), cipher.final(), cipher.getAuthTag()]
  return `1.${keyIdOf(key)}.${Buffer.concat(parts).toString('base64url')}`
}

/** Throws a Refusal when the key is missing, or the text is not what was encrypted for this integration. */
export function decryptHeaders(
  ctx: Pick<AppContext, 'config'>,
  { id, accountId, slug, headers }: Integration,
): Headers {
  const [version, keyId, packed = ''] = headers.split('.')
  const key = readKeyring(ctx).find((candidate) => keyIdOf(candidate) === keyId)
  if (version !== '1' || key === undefined)
    throw new Refusal(`the key that the credentials of integration '${slug}' were encrypted with is missing`)
  const bytes = Buffer.from(packed, 'base64url')
  try {
    const cipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES)).setAAD(toAad({ id, accountId }))
    cipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    return JSON.parse(cipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + cipher.final('utf8'))
  } catch {
    throw new Refusal(`the credentials of integration '${slug}' are damaged`)
  }
}

/**
 * Names of integrations whose credentials no key at hand decrypts, of all accounts. Time is linear in the number of
 * integrations; meant for the start.
 */
export async function findUnreadable(ctx: Pick<AppContext, 'config' | 'store'>): Promise<string[]> {
  const slugs: string[] = []
  for (const integration of await ctx.store.control.list('integrations', {})) {
    if (!isReadable(ctx, integration)) slugs.push(integration.slug)
  }
  return slugs
}

function isReadable(ctx: Pick<AppContext, 'config'>, integration: Integration): boolean {
  try {
    decryptHeaders(ctx, integration)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/**
 * Re-encrypts the credentials of all accounts: with a new key in `secret.key`, or with the first key of
 * `SVC_SECRET_KEY`. Returns their number. If it is interrupted at any point, or runs concurrently with another
 * rotation, every credential stays readable: a key is dropped only once nothing is encrypted with it, and writes that
 * begin after the new key is in the file use that one. Throws a Refusal for anybody but the operator.
 */
export async function rotateCredentials(ctx: AppContext, actor: Actor): Promise<number> {
  if (actor.kind !== 'operator') throw new Refusal('only the operator may do this')
  const usesFile = ctx.config.secretKeys.length === 0
  let olderIds: string[] = []
  if (usesFile)
    await updateKeyFile(ctx, (keys) => {
      olderIds = keys.map(keyIdOf)
      return [newKey(ctx), ...keys]
    })
  const count = await reencryptAll(ctx, actor)
  if (usesFile) await dropUnused(ctx, olderIds)
  return count
}

function reencryptAll(ctx: AppContext, actor: Actor): Promise<number> {
  return ctx.store.control.write(async (tx) => {
    const integrations = await tx.list('integrations', {})
    for (const integration of integrations)
      await tx.update(
        'integrations',
        { id: integration.id },
        { headers: encryptHeaders(ctx, integration, decryptHeaders(ctx, integration)) },
      )
    await recordEvent(ctx, tx, actor, { act: 'secret.rotate', details: { credentials: integrations.length } })
    return integrations.length
  })
}

/** Removes keys from the file that nothing is encrypted with any more. */
async function dropUnused(ctx: AppContext, keyIds: string[]): Promise<void> {
  const integrations = await ctx.store.control.list('integrations', {})
  const used = new Set(integrations.map(({ headers }) => headers.split('.')[1]))
  await updateKeyFile(ctx, (keys) => keys.filter((key) => !keyIds.includes(keyIdOf(key)) || used.has(keyIdOf(key))))
}

function keyIdOf(key: Uint8Array): string {
  return createHash('sha256').update('memsvc key id').update(key).digest('hex').slice(0, 8)
}

/** Additional authenticated data: a text copied to another integration does not decrypt. */
function toAad({ id, accountId }: Owner): Buffer {
  return Buffer.from(`integration ${accountId} ${id}`)
}
