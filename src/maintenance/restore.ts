import { recordEvent, recordEventAlone } from '../account/audit/audit.ts'
import { type Actor, requireOperator } from '../account/auth/actor.ts'
import type { AppContext } from '../account/context.ts'
import { newProject, requireNameAndRoom, toProjectEvent } from '../account/organizations/project.ts'
import type { Config } from '../config.ts'
import { Refusal } from '../errors.ts'
import { parseKeyText, updateKeyFile } from '../gateway/keyring.ts'
import { unseal } from '../secrets/sealed.ts'
import type { Account, Project } from '../store/account.ts'
import type { Manifest, ReplacedFiles } from '../store/backup.ts'
import { replaceProjectData, restoreProjectData, restoreStore, verifyBackup } from '../store/open-store.ts'

/** `passphrase` is called only if the backup has an encrypted key; undefined leaves the key out. */
type RestoreInput = { archive: string; passphrase: () => Promise<string | undefined> }

/**
 * Restores a backup into the configured data folder, which must be empty or not exist. Returns the manifest of the
 * backup, and whether its key of credentials was restored.
 *
 * @throws Refusal if the folder is not empty, the backup is incomplete, or the passphrase is wrong; the folder stays
 *   empty then.
 */
export async function restoreAll(
  config: Config,
  { archive, passphrase }: RestoreInput,
): Promise<{ manifest: Manifest; hasKey: boolean }> {
  let hasKey = false
  const manifest = await restoreStore(config, archive, async (sealed) => {
    const given = await passphrase()
    if (given === undefined) return async () => {}
    const keys = parseKeyText(new TextDecoder().decode(await unseal(sealed, given)))
    hasKey = true
    return () => updateKeyFile({ config }, () => keys)
  })
  return { manifest, hasKey }
}

/**
 * `name` is what the new project is called; `project` is the name or id of the one in the backup, needed if there are
 * several.
 */
type RestoreProjectInput = { archive: string; account: Account; name: string; project?: string | undefined }

/**
 * Restores one project of a backup as a new project, also beside a running service. It gets the records and session
 * histories, but no keys and integrations. Audiences stay as they were, so drafts and department records are visible
 * only to people with the same ids.
 *
 * @throws Refusal for everybody but the operator, for a name in use, if the account has 5 000 projects, and if the
 *   backup is incomplete, or has no such project or only a part of it.
 */
export async function restoreProject(
  ctx: AppContext,
  actor: Actor,
  { archive, account, name, project: ref }: RestoreProjectInput,
): Promise<Project> {
  requireOperator(actor)
  const project = { ...newProject(ctx, { account, name }), credentialRules: null }
  await requireNameAndRoom(ctx.store.control, project)
  const from = findProject(await verifyBackup(archive), ref)
  const { hasHistory } = await restoreProjectData(ctx.config, {
    archive,
    from: from.id,
    to: { projectId: project.id, accountId: account.id },
    now: ctx.clock.now(),
  })
  try {
    await ctx.store.control.write(async (tx) => {
      await requireNameAndRoom(tx, project)
      await tx.insert('projects', project)
      const details = { name: project.name, from: from.id }
      await recordEvent(ctx, tx, actor, toProjectEvent('project.restore', project, details))
    })
  } catch (error) {
    await ctx.store.eraseProject(project.id)
    throw error
  }
  // Opening the files once registers them, so that their absence counts as damage from then on.
  await ctx.store.project(project.id).version()
  if (hasHistory) await ctx.store.history(project.id).listOwners()
  return project
}

type RestoreInPlaceInput = { archive: string; project: Project }

/**
 * Replaces what is damaged of a project, or all of it if nothing is, by what a backup has of it, also beside a running
 * service. Its keys, members, integrations and settings stay as they are.
 *
 * @throws Refusal for everybody but the operator, and if the backup is incomplete, or has not this project or only a
 *   part of it.
 */
export async function restoreInPlace(
  ctx: AppContext,
  actor: Actor,
  { archive, project }: RestoreInPlaceInput,
): Promise<ReplacedFiles> {
  requireOperator(actor)
  const { id, accountId } = project
  const manifest = await verifyBackup(archive)
  if (!manifest.projects.some((one) => one.id === id))
    throw new Refusal(
      `the backup has no project with the id ${id}; restore another one of it as a new project with --as`,
    )
  findProject(manifest, id)
  const now = ctx.clock.now()
  const replaced = await replaceProjectData(ctx.config, { archive, from: id, to: { projectId: id, accountId }, now })
  const details = { name: project.name, in_place: true, records: replaced.records, histories: replaced.histories }
  await recordEventAlone(ctx, actor, toProjectEvent('project.restore', project, details))
  // Opening a file shows that it can be used.
  if (replaced.records) await ctx.store.project(id).version()
  if (replaced.histories && (await ctx.store.hasHistory(id))) await ctx.store.history(id).listOwners()
  return replaced
}

function findProject({ projects, incomplete }: Manifest, ref: string | undefined): Manifest['projects'][number] {
  const named = projects.filter(({ id, name }) => ref === undefined || id === ref || name === ref)
  const [only] = named
  if (only === undefined)
    throw new Refusal(ref === undefined ? 'the backup has no project' : `the backup has no project '${ref}'`)
  if (named.length > 1)
    throw new Refusal(`the backup has several projects; name one with --project: ${named.map(toShown).join(', ')}`)
  const fault = incomplete.find(({ project }) => project === only.id)
  if (fault !== undefined) throw new Refusal(`that project was not whole when it was backed up: ${fault.reason}`)
  return only
}

const toShown = ({ id, name }: Manifest['projects'][number]) => `'${name}' (${id})`
