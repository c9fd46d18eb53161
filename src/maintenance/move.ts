import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recordEvent } from '../account/audit/audit.ts'
import { type Actor, requireOperator } from '../account/auth/actor.ts'
import type { AppContext } from '../account/context.ts'
import type { Config } from '../config.ts'
import { Refusal } from '../errors.ts'
import { decryptHeaders, encryptHeaders } from '../gateway/credentials.ts'
import { ensureKeyring } from '../gateway/keyring.ts'
import { toEntry } from '../memory/search/index/index-entry.ts'
import type { Integration } from '../store/integration.ts'
import type { Credentials, Moved, OnProgress } from '../store/move.ts'
import { moveStore } from '../store/move-store.ts'
import { openStore } from '../store/open-store.ts'
import { restoreAll } from './restore.ts'

/** Where data is or goes to: a data folder, a database or, only to move from, a backup. */
export type Place =
  | { kind: 'folder'; path: string }
  | { kind: 'database'; url: string }
  | { kind: 'backup'; file: string }

type MoveInput = {
  from: Place
  to: Exclude<Place, { kind: 'backup' }>
  /** The passphrase of a backup's key of credentials; undefined leaves that out. */
  passphrase: () => Promise<string | undefined>
  onProgress: OnProgress
}

type MoveContext = Pick<AppContext, 'config' | 'clock' | 'random'>

/**
 * Moves everything from one engine to the other, which must be empty: accounts, people, keys, records, histories, the
 * audit log, and the credentials of integrations, which are encrypted again for the target. Both are compared row by
 * row at the end. An interrupted move is continued by the same call. The source is not changed.
 *
 * @throws Refusal for everybody but the operator, if a service uses either of the two, if the target is not empty, and
 *   if a credential cannot be decrypted.
 */
export async function moveData(
  ctx: MoveContext,
  actor: Actor,
  { from, to, passphrase, onProgress }: MoveInput,
): Promise<Moved> {
  requireOperator(actor)
  if (from.kind === to.kind)
    throw new Refusal('move goes from a data folder or a backup to a database, or from a database to a data folder')
  if (from.kind === 'backup')
    return withRestored(ctx, from.file, passphrase, (path) =>
      moveData(ctx, actor, { from: { kind: 'folder', path }, to, passphrase, onProgress }),
    )
  const [source, target] = [toConfig(ctx.config, from), toConfig(ctx.config, to)]
  if (to.kind === 'database' && ctx.config.secretKeys.length === 0)
    throw new Refusal('SVC_SECRET_KEY must be set to move into a database')
  const credentials = createCredentials(ctx, source, target)
  const moved = await moveStore(source, target, { toEntry, now: ctx.clock.now(), credentials, onProgress })
  await recordMove(ctx, actor, target, { from: from.kind, to: to.kind, moved })
  return moved
}

/** The settings of a service on that place. */
function toConfig(config: Config, place: MoveInput['to']): Config {
  return place.kind === 'database'
    ? { ...config, databaseUrl: place.url }
    : { ...config, databaseUrl: undefined, dataDir: place.path }
}

/**
 * Decrypts and encrypts credentials. In a folder they get a key of the folder's own, `secret.key`, so that it does not
 * depend on the key of the database.
 */
function createCredentials(ctx: MoveContext, source: Config, target: Config): Credentials {
  const isFolder = target.databaseUrl === undefined
  const keys = isFolder ? { ...target, secretKeys: [] } : target
  const decrypt = (config: Config) => (row: object) => ({
    ...row,
    headers: decryptHeaders({ config }, row as Integration),
  })
  return {
    decrypt: { source: decrypt(source), target: decrypt(keys) },
    reencrypt: (row) => {
      const integration = row as Integration
      return {
        ...row,
        headers: encryptHeaders({ ...ctx, config: keys }, integration, decryptHeaders({ config: source }, integration)),
      }
    },
    prepare: async () => {
      if (isFolder) await ensureKeyring({ ...ctx, config: keys } as AppContext)
    },
  }
}

async function withRestored(
  ctx: MoveContext,
  archive: string,
  passphrase: MoveInput['passphrase'],
  act: (folder: string) => Promise<Moved>,
): Promise<Moved> {
  const folder = await mkdtemp(join(tmpdir(), 'memsvc-move-'))
  try {
    const dataDir = join(folder, 'data')
    const { manifest } = await restoreAll({ ...ctx.config, databaseUrl: undefined, dataDir }, { archive, passphrase })
    if (manifest.incomplete.length > 0) throw new Refusal(`'${archive}' is not whole; move from another one`)
    return await act(dataDir)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Done = { from: Place['kind']; to: Place['kind']; moved: Moved }

/** Adds the move to the target's audit log, opening it as a service would, which also shows that it can be opened. */
async function recordMove(ctx: MoveContext, actor: Actor, target: Config, { from, to, moved }: Done): Promise<void> {
  const store = await openStore(target, ctx.clock)
  try {
    const details = {
      from,
      to,
      records: moved.records,
      rows: Object.values(moved).reduce((sum, rows) => sum + rows, 0),
    }
    await store.control.write((tx) => recordEvent(ctx, tx, actor, { act: 'data.move', details }))
  } finally {
    await store.close()
  }
}
