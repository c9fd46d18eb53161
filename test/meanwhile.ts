import type { AppContext } from '../src/account/context.ts'
import type { ProjectStore } from '../src/store/project.ts'

/** A service in which somebody else acts once: as soon as a verb of a project has answered for the first time. */
export function meanwhile<Context extends AppContext>(
  ctx: Context,
  verb: 'findRecord' | 'listOrphans' | 'listRecords',
  act: () => Promise<unknown>,
): Context {
  let isDone = false
  async function actOnce(): Promise<void> {
    if (isDone) return
    isDone = true
    await act()
  }
  const project = (id: string): ProjectStore => {
    const store = ctx.store.project(id)
    const answer = async (...given: Parameters<ProjectStore[typeof verb]>) => {
      const answered = await (store[verb] as (...args: typeof given) => Promise<unknown>)(...given)
      await actOnce()
      return answered
    }
    return { ...store, [verb]: answer }
  }
  return { ...ctx, store: { ...ctx.store, project } }
}
