import { recordEvent } from '../account/audit/audit.ts'
import { type Actor, requireOperator } from '../account/auth/actor.ts'
import type { AppContext } from '../account/context.ts'
import { toProjectEvent } from '../account/organizations/project.ts'
import { toErrorCode } from '../errors.ts'
import { type CredentialCounts, scanHistories } from '../history/scan-histories.ts'
import { type StoredCredential, scanRecords, scanWorkspaces } from '../memory/rejections/scan-records.ts'
import { RULES_VERSION } from '../secrets/credentials.ts'
import type { Project } from '../store/account.ts'
import { findBackupPlan } from './back-up-in-folder.ts'
import { listNewest } from './backup-names.ts'

/** Credentials that are listed, and backups; of more only the number is told. */
const MAX_LISTED = 1_000

/**
 * What a scan found. `records` are the credentials in records that others than their author see, and in names of
 * workspaces; those in drafts are only counted, by kind, and so are those in session histories. `backups` have been
 * made before, and hold what was found.
 */
export type ScannedCredentials = {
  found: number
  masked: boolean
  records: Omit<StoredCredential, 'isDraft'>[]
  more: number
  drafts: CredentialCounts
  histories: CredentialCounts
  backups: string[]
}

/**
 * Searches everything that a project stores for credentials, by the present rules: records, also forgotten ones, their
 * sources and fact keys, names of workspaces, texts that wait for the guard's release, questions without an answer, and
 * session histories. With `mask`, masks take the place of what was found, also in the index and in what the files still
 * hold of it. Records an audit event, with numbers by kind.
 *
 * @throws Refusal for everybody but the operator; the system's error if the folder for backups cannot be read.
 */
export async function scanCredentials(
  ctx: AppContext,
  actor: Actor,
  project: Project,
  mask: boolean,
): Promise<ScannedCredentials> {
  requireOperator(actor)
  const { store } = ctx
  const backups = listHolding(ctx, project)
  const scanned: ScannedCredentials = {
    found: 0,
    masked: mask,
    records: [],
    more: 0,
    drafts: {},
    histories: {},
    backups: [],
  }
  const kinds: CredentialCounts = {}
  const found = ({ isDraft, ...credential }: StoredCredential) => {
    const { kind } = credential
    kinds[kind] = (kinds[kind] ?? 0) + 1
    if (isDraft) scanned.drafts[kind] = (scanned.drafts[kind] ?? 0) + 1
    else if (scanned.records.length < MAX_LISTED) scanned.records.push(credential)
    else scanned.more += 1
  }
  const scan = { isMasking: mask, found }
  await scanRecords(store.project(project.id), scan)
  await scanWorkspaces(store.project(project.id), scan)
  const hasHistory = await store.hasHistory(project.id)
  if (hasHistory) scanned.histories = await scanHistories(store.history(project.id), mask)
  const inHistories = sum(scanned.histories)
  scanned.found = sum(kinds) + inHistories
  if (scanned.found > 0) scanned.backups = backups
  const { id } = project
  const details = { masked: mask, ...kinds, ...(inHistories > 0 && { histories: inHistories }) }
  await store.control.write(async (tx) => {
    await tx.update('projects', { id }, { credentialRules: RULES_VERSION })
    await recordEvent(ctx, tx, actor, toProjectEvent('credential.scan', project, details))
  })
  // Also where nothing was found: a call that was interrupted may have masked it.
  if (mask) await store.project(id).scrub(() => false)
  if (mask && hasHistory) await store.history(id).scrub(() => false)
  return scanned
}

const sum = (counts: CredentialCounts) => Object.values(counts).reduce((total, count) => total + count, 0)

/** The backups of everything and of this project in the service's folder for them. */
function listHolding({ config }: AppContext, { id }: Project): string[] {
  const folder = findBackupPlan(config)?.folder
  try {
    const { backups } = folder === undefined ? { backups: [] } : listNewest(folder, MAX_LISTED)
    return backups.filter(({ projectId }) => projectId === undefined || projectId === id).map(({ path }) => path)
  } catch (error) {
    // No backup has been made there.
    if (toErrorCode(error) === 'ENOENT') return []
    throw error
  }
}
