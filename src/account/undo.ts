import type { Member } from '../store/account.ts'
import type { Undo } from '../store/sign-in.ts'
import type { AppContext } from './context.ts'

/** How long an act can be undone. */
export const UNDO_MS = 600_000

/** The form that undoes an act. */
type UndoForm = Pick<Undo, 'action' | 'fields'>

/** Keeps the form that undoes an act of a member. Returns its id, by which that member finds it for ten minutes. */
export async function keepUndo({ store, clock, random }: AppContext, member: Member, form: UndoForm): Promise<string> {
  const now = clock.now()
  const id = random.uuid(now)
  await store.control.write((tx) => tx.insert('undos', { id, memberId: member.id, ...form, createdAt: now }))
  return id
}

/** The form that undoes an act; undefined for one of somebody else, and ten minutes after the act. */
export function findUndo({ store, clock }: AppContext, member: Member, id: string): Promise<Undo | undefined> {
  return store.control.find('undos', { id, memberId: member.id, createdAt: { from: clock.now() - UNDO_MS } })
}
