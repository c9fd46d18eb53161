import { toButton } from '../markup/form.ts'
import type { Html } from '../markup/html.ts'
import { toRecordPath } from './record-card.ts'

/** A button's record: `rivals` are ids of those that say something else under its fact key, which verifying it supersedes. */
export type Target = { path: string; id: string; about: string; back: string; rivals?: string[] }

/** A button of a record. The page it stands on is where its act returns to. */
type Words = { label: string; look?: 'main' | 'plain' | 'danger' }

/** Confirms the record; the label says what else that does. */
export function toVerifyButton({ path, id, about, back, rivals = [] }: Target, words?: Words): Html {
  const others = rivals.length === 1 ? 'the other' : `the ${rivals.length} others`
  const { label, look = 'main' } = words ?? { label: rivals.length === 0 ? 'Verify' : `Verify, and supersede ${others}` }
  return toButton(`${toRecordPath(path, id)}/verify`, label, { fields: { back, seen: rivals.join(' ') }, look, about })
}

/** Takes the confirmation back. */
export function toUnverifyButton({ path, id, about, back }: Target): Html {
  return toButton(`${toRecordPath(path, id)}/unverify`, 'Take the verification back', { fields: { back }, about })
}

/** Puts the record into the trash. */
export function toForgetButton({ path, id, about, back }: Target, { label, look = 'danger' }: Words = { label: 'Forget' }): Html {
  return toButton(`${toRecordPath(path, id)}/forget`, label, { fields: { back }, look, about })
}

/** Brings the record back. */
export function toRestoreButton({ path, id, about, back }: Target): Html {
  return toButton(`${toRecordPath(path, id)}/restore`, 'Restore', { fields: { back }, look: 'main', about })
}
