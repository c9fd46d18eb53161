import { type Actor, requireManager } from '../account/auth/actor.ts'
import type { AppContext } from '../account/context.ts'
import { Refusal } from '../errors.ts'
import type { Integration } from '../store/integration.ts'
import { writeChange } from './integration.ts'

/** Names of tools to switch on and off. */
type ToolSwitches = { on: ReadonlySet<string>; off: ReadonlySet<string> }

/**
 * Switches tools of an integration, and leaves all others as they are now. While all known tools are on, those that the
 * server adds later are on too.
 *
 * @throws Refusal for an actor who does not manage the account, if no tool would be on, and above 500 of them.
 */
export async function switchTools(
  ctx: AppContext,
  actor: Actor,
  { id, accountId, slug }: Integration,
  { on, off }: ToolSwitches,
): Promise<void> {
  requireManager(actor, accountId)
  await ctx.store.control.write(async (tx) => {
    const current = await tx.find('integrations', { id })
    if (current === undefined) throw new Refusal(`no integration '${slug}'`)
    const list = await tx.find('toolLists', { integrationId: id })
    const known = [...(list?.tools ?? []), ...(list?.unpicked ?? [])].map(({ name }) => name)
    const picked = new Set(current.tools ?? known).difference(off).union(on)
    const areAllOn = known.length > 0 && known.every((name) => picked.has(name))
    await writeChange(ctx, tx, actor, current, { tools: areAllOn ? null : [...picked] })
  })
}
