import { type By, noteDone } from '../account/audit.ts'
import type { Means } from '../account/means.ts'
import { Refusal } from '../errors.ts'
import type { Project } from '../store/control.ts'

const HASH = /^[0-9a-f]{64}$/

/** Whether a text is the name of a content: its SHA-256 in hexadecimal. */
export function isContentHash(text: string): boolean {
  return HASH.test(text)
}

/** Lets one content pass the guard in a project; saved again, it is remembered. Noted in the audit log. Throws a Refusal for what is no hash. */
export async function allowContent(
  means: Pick<Means, 'store' | 'clock' | 'log'>,
  { id, accountId }: Pick<Project, 'id' | 'accountId'>,
  hash: string,
  by: By,
): Promise<void> {
  if (!isContentHash(hash)) throw new Refusal('the hash of a content has 64 digits, 0 to 9 and a to f')
  await means.store.project(id).write((tx) => tx.allow(hash, means.clock.now()))
  await noteDone(means, by, { act: 'record.allow', accountId, projectId: id, target: hash })
}
