import { type ButtonLook, toButton } from '../markup/form.ts'
import type { Html } from '../markup/html.ts'
import { toRecordPath } from './record-card.ts'

/** The record that a button acts on. */
export type ButtonTarget = {
  /** The path of the project. */
  path: string
  id: string
  /** The object of the button, for screen readers. */
  about: string
  /** The path to return to after the action, and the id of the record that is then in the place of this one. */
  back: string
  next?: string | undefined
  /** Ids of the current records that contradict it, and that verifying it supersedes. */
  rivals?: string[]
}

type ButtonLabel = { label: string; look?: ButtonLook; key?: string }

/** A button of a record, whose label, look and key may be others than usual. */
type ToRecordButton = (target: ButtonTarget, shown?: Partial<ButtonLabel>) => Html

function toActButton(act: string, usual: ButtonLabel, more: Record<string, string> = {}): ToRecordButton {
  return ({ path, id, about, back, next }, shown) => {
    const { label, ...looks } = { ...usual, ...shown }
    return toButton(`${toRecordPath(path, id)}/${act}`, label, {
      fields: { back, ...(next && { next }), ...more },
      about,
      ...looks,
    })
  }
}

/** The button that verifies the record; its label says how many others it supersedes. */
export const toVerifyButton: ToRecordButton = (target, shown) => {
  const { rivals = [] } = target
  const others = rivals.length === 1 ? 'the other' : `the ${rivals.length} others`
  const label = rivals.length === 0 ? 'Verify' : `Verify, and supersede ${others}`
  return toActButton('verify', { label, look: 'main' }, { seen: rivals.join(' ') })(target, shown)
}

/** The button that makes a verified record unverified. */
export const toUnverifyButton = toActButton('unverify', { label: 'Withdraw verification' })

/** The button that puts the record into the trash. */
export const toForgetButton = toActButton('forget', { label: 'Forget', look: 'danger' })

/** The button that removes the record from the review and leaves it in the trash. */
export const toLeaveButton = toActButton('accept-forgetting', { label: 'Leave it forgotten' })

/** The button that restores the record from the trash. */
export const toRestoreButton = toActButton('restore', { label: 'Restore', look: 'main' })
