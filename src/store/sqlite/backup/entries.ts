import { parseProjectFileName } from '../data-folder.ts'

export const CONTROL_ENTRY = 'control.db'
export const KEY_ENTRY = 'secret.key.sealed'
export const MANIFEST_ENTRY = 'manifest.json'

const PROJECTS_FOLDER = 'projects/'

export const toProjectEntry = (fileName: string) => `${PROJECTS_FOLDER}${fileName}`

/** The project and kind of file that an entry's name stands for; undefined if it is another entry, or none of ours. */
export function parseProjectEntry(name: string) {
  return name.startsWith(PROJECTS_FOLDER) ? parseProjectFileName(name.slice(PROJECTS_FOLDER.length)) : undefined
}

/** Whether an archive may have an entry of this name. No name that passes leads out of the folder that it is written to. */
export function isKnownEntry(name: string): boolean {
  return [CONTROL_ENTRY, KEY_ENTRY, MANIFEST_ENTRY].includes(name) || parseProjectEntry(name) !== undefined
}
