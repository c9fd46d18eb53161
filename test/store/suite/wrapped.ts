import type { ExpectedSave } from '../../../src/store/project.ts'
import type { Store } from '../../../src/store/store.ts'

type Write<Tx> = <T>(act: (tx: Tx) => Promise<T>, saves?: ExpectedSave[]) => Promise<T>

const UNDO = new Error('undo')

/** A store that runs every act twice, as an engine may that has to retry: what the first run did is undone. */
export function retryWrites(store: Store): Store {
  const retry =
    <Tx>(write: Write<Tx>): Write<Tx> =>
    async (act, saves) => {
      const first = async (tx: Tx) => {
        await act(tx)
        throw UNDO
      }
      await write(first, saves).catch((error) => {
        if (error !== UNDO) throw error
      })
      return write(act, saves)
    }
  return {
    ...store,
    control: { ...store.control, write: retry(store.control.write) },
    project: (id) => ({ ...store.project(id), write: retry(store.project(id).write) }),
    history: (id) => ({ ...store.history(id), write: retry(store.history(id).write) }),
  }
}

/** Names of the verbs that there are, and of those that were called. */
export type Coverage = { all: Set<string>; called: Set<string> }

/** A store that notes in `coverage` which of its verbs are called, those of `tx` too. */
export function coverVerbs(store: Store, coverage: Coverage): Store {
  const cover = <Verbs extends object>(room: string, verbs: Verbs): Verbs => {
    for (const [name, verb] of Object.entries(verbs)) if (typeof verb !== 'boolean') coverage.all.add(`${room}.${name}`)
    return new Proxy(verbs, {
      get: (target, name, self) => {
        coverage.called.add(`${room}.${String(name)}`)
        return Reflect.get(target, name, self)
      },
    })
  }
  const coverWrite =
    <Tx extends object>(room: string, write: Write<Tx>): Write<Tx> =>
    (act, saves) =>
      write((tx) => act(cover(room, tx)), saves)
  return cover('store', {
    ...store,
    windows: cover('windows', store.windows),
    control: cover('control', { ...store.control, write: coverWrite('control', store.control.write) }),
    project: (id: string) => {
      const verbs = store.project(id)
      return cover('project', { ...verbs, write: coverWrite('project', verbs.write) })
    },
    history: (id: string) => {
      const verbs = store.history(id)
      return cover('history', { ...verbs, write: coverWrite('history', verbs.write) })
    },
  })
}
