import { join } from 'node:path'
import { readSmallFile } from '../readers/history-file.ts'
import { findFiles, findFolders } from './folder.ts'
import type { Found, Place } from './place.ts'

const ROLLOUT = /^rollout-[\dT-]{19}-([0-9a-f]{8}-[0-9a-f-]{27})\.jsonl(?:\.zst)?$/
const NUMBER = /^\d{2,4}$/

/**
 * `sessions/YYYY/MM/DD/rollout-<time>-<session>.jsonl`; archived ones are directly in `archived_sessions/`, and old ones may be compressed. The file name
 * does not change. Nothing is found if Codex is configured to keep no histories.
 */
export const codex: Place = {
  assistant: 'codex',
  find: async function* (machine) {
    const root = machine.environment.CODEX_HOME || join(machine.home, '.codex')
    if (await keepsNoHistory(root)) return
    for (const year of await findFolders(join(root, 'sessions'), NUMBER)) {
      for (const month of await findFolders(year.file, NUMBER)) {
        for (const day of await findFolders(month.file, NUMBER)) yield* findRollouts(day.file)
      }
    }
    yield* findRollouts(join(root, 'archived_sessions'))
  },
}

async function* findRollouts(folder: string): AsyncGenerator<Found> {
  for (const { name, file } of await findFiles(folder, ROLLOUT)) {
    const sessionId = ROLLOUT.exec(name)?.[1]
    if (sessionId !== undefined) yield { file, sourceKey: name.replace(/\.zst$/, ''), kind: 'main', sessionId }
  }
}

/** `history.persistence = "none"`: the user wants no histories kept, so none are uploaded. */
async function keepsNoHistory(root: string): Promise<boolean> {
  try {
    const settings = Bun.TOML.parse((await readSmallFile(join(root, 'config.toml'))) ?? '') as { history?: { persistence?: unknown } }
    return settings.history?.persistence === 'none'
  } catch {
    return false
  }
}
