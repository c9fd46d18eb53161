import { DamagedFile, DamagedProject } from '../../errors.ts'
import { isDamage } from './errors.ts'

/** The files of projects that were found to be damaged, until they are opened again. */
export type Damages = {
  /** Remembers damage, and reports it the first time. */
  note: (damage: DamagedProject) => void
  /** To be called when a file was opened, or erased. */
  forget: (file: string) => void
  list: () => DamagedProject[]
}

/** `report` is called once for each damage that is found. */
export function createDamages(report: (damage: DamagedProject) => void): Damages {
  const damages = new Map<string, DamagedProject>()
  return {
    note: (damage) => {
      if (damages.get(damage.file)?.fault === damage.fault) return
      damages.set(damage.file, damage)
      report(damage)
    },
    forget: (file) => void damages.delete(file),
    list: () => [...damages.values()],
  }
}

/** The damage of a project's file that an error is a sign of; undefined for any other error. */
export function toDamage(projectId: string, file: string, error: unknown): DamagedProject | undefined {
  if (error instanceof DamagedProject) return error
  if (error instanceof DamagedFile) return new DamagedProject(projectId, file, error.message)
  return isDamage(error)
    ? new DamagedProject(projectId, file, `${file} is damaged (${(error as Error).message})`)
    : undefined
}
