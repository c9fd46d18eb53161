import { mkdir, readFile, realpath, rmdir, stat, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createTwoFilesPatch } from 'diff'
import { Refusal, toErrorCode } from '../../errors.ts'
import { shownOf } from '../../secrets/key.ts'
import { writeWhole } from '../../whole-file.ts'
import { editSlot } from './formats/edit.ts'
import type { FormatName, Slot } from './formats/settings.ts'

/**
 * The desired state of a file: an edit of one slot in a user's file, or the text of a file of our own; undefined
 * removes it.
 */
export type FileEdit =
  | { file: string; format: FormatName; slot: Slot; value: unknown }
  | { file: string; text: string | undefined }

/** The text of a file before and after; undefined if it does not exist. */
export type Change = { file: string; before: string | undefined; after: string | undefined; isOwn: boolean }

/** The end of the name of a backup. */
export const BACKUP_ENDING = '.memsvc-backup'

const OWNER_ONLY = 0o600
const OWNER_ONLY_FOLDER = 0o700

/**
 * The changes made by edits, by file, without unchanged files. @throws Refusal for a file that cannot be parsed or
 * edited.
 */
export async function planChanges(edits: FileEdit[]): Promise<Change[]> {
  const changes = new Map<string, Change>()
  for (const edit of edits) {
    const planned = changes.get(edit.file)
    const before = planned === undefined ? await readText(edit.file) : planned.before
    const current = planned === undefined ? before : planned.after
    changes.set(edit.file, { file: edit.file, before, after: applyEdit(edit, current), isOwn: 'text' in edit })
  }
  return [...changes.values()].filter(({ before, after }) => before !== after)
}

function applyEdit(edit: FileEdit, current: string | undefined): string | undefined {
  if ('text' in edit) return edit.text
  if (current === undefined && edit.value === undefined) return undefined
  try {
    return editSlot(edit.format, current ?? '', edit.slot, edit.value)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal(`${edit.file} is left alone: ${error.message}`)
  }
}

/**
 * Backs up a file in the same folder. Returns the path of the backup; undefined if there was no file, or it is one of
 * our own.
 *
 * @throws Refusal if the file system refuses.
 */
export async function keepBackup({ file, before, isOwn }: Change, at: Date): Promise<string | undefined> {
  if (before === undefined || isOwn) return undefined
  return orRefuse(file, async () => {
    const backup = `${await realpath(file)}.${at.toISOString().replace(/[:.]/g, '-')}${BACKUP_ENDING}`
    await writeWhole(backup, before, OWNER_ONLY)
    return backup
  })
}

/**
 * Writes a settings file atomically, to the target of a symbolic link.
 *
 * @param isSecret whether it contains a key, and so may only be read by its owner.
 * @throws Refusal if the file has changed since the change was planned, and if the file system refuses.
 */
export async function writeChange(change: Change, isSecret: boolean): Promise<void> {
  const { file, before, after } = change
  if ((await readText(file)) !== before)
    throw new Refusal(`${file} was changed by another program meanwhile; try again`)
  await orRefuse(file, () => (after === undefined ? removeFile(file) : replaceFile(file, before, after, isSecret)))
}

/** Runs `act` on a file. @throws Refusal that names it if the file system refuses. */
export async function orRefuse<Result>(file: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    throw new Refusal(`${file} cannot be changed (${toErrorCode(error)})`)
  }
}

async function replaceFile(file: string, before: string | undefined, after: string, isSecret: boolean): Promise<void> {
  const target = before === undefined ? file : await realpath(file)
  const mode = before === undefined ? OWNER_ONLY : (await stat(target)).mode & (isSecret ? OWNER_ONLY : 0o777)
  await mkdir(dirname(target), { recursive: true, mode: OWNER_ONLY_FOLDER })
  await writeWhole(target, after, mode)
}

/** Removes a file of our own, and its parent folders that have become empty. */
async function removeFile(file: string): Promise<void> {
  await unlink(file)
  for (const folder of [dirname(file), dirname(dirname(file))]) await rmdir(folder).catch(() => {})
}

const KEY = /svc_[0-9A-Za-z]{36}/g

/** A change of a file as a unified diff, with keys masked. */
export function toDiff({ file, before, after }: Change): string {
  const [from, to] = [before === undefined ? '/dev/null' : file, after === undefined ? '/dev/null' : file]
  const patch = createTwoFilesPatch(from, to, before ?? '', after ?? '', undefined, undefined, { context: 3 })
  return maskKeys(patch.replace(/^(Index: .*\n)?=+\n/, ''))
}

/** A text in which only the first characters of each key are left. */
export function maskKeys(text: string): string {
  return text.replace(KEY, (key) => `svc_${shownOf(key)}…`)
}

/** Whether a text contains a key. */
export function hasKey(text: string): boolean {
  return text.search(KEY) >= 0
}

/** Larger settings files are refused. */
const MAX_FILE_BYTES = 32 * 2 ** 20

/** The text of a file; undefined if there is none. @throws Refusal for one that cannot be read or is too large. */
export async function readText(file: string): Promise<string | undefined> {
  try {
    const { size } = await stat(file)
    if (size > MAX_FILE_BYTES) throw new Refusal(`${file} is larger than ${MAX_FILE_BYTES} bytes`)
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Refusal) throw error
    const code = toErrorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new Refusal(`${file} cannot be read (${code})`)
  }
}
