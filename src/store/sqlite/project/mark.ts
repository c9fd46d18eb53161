import type { Audience } from '../../project.ts'

/** A private character: no term begins with it, and the index takes it for a letter. */
const SIGN = '\ue000'

/** The one word by which the index knows a record's workspace and audience; letters and digits only behind the sign. */
export function toMark(workspaceId: number, audience: Audience): string {
  return `${SIGN}${workspaceId}v${audience === '*' ? 'all' : audience.replace(/[^a-z0-9]/gi, '').toLowerCase()}`
}
