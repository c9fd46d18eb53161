import { parseProjectFileName } from '../data-folder.ts'

export const CONTROL_ENTRY = 'control.db'
export const KEY_ENTRY = 'secret.key.sealed'
export const MANIFEST_ENTRY = 'manifest.json'

const PROJECTS_FOLDER = 'projects/'

export const toProjectEntry = (fileName: string) => `${PROJECTS_FOLDER}${fileName}`

/** The project and kind of file of an entry, by its name; undefined for any other entry. */
export function parseProjectEntry(name: string) {
  return name.startsWith(PROJECTS_FOLDER) ? parseProjectFileName(name.slice(PROJECTS_FOLDER.length)) : undefined
}

/** Whether an archive may contain an entry with this name. No accepted name leads out of the target folder. */
export function isKnownEntry(name: string): boolean {
  return [CONTROL_ENTRY, KEY_ENTRY, MANIFEST_ENTRY].includes(name) || parseProjectEntry(name) !== undefined
}
