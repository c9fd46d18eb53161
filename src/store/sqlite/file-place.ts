import { statSync } from 'node:fs'
import { DamagedFile } from '../../errors.ts'

/**
 * How long a file is taken to be in place without another look, in milliseconds: a look takes some microseconds, and a
 * search uses a file dozens of times.
 */
const PLACE_PERIOD_MS = 10

/**
 * Returns a function that tells whether the paths still lead to the files that they lead to now. Once they do not, it
 * is always false.
 */
export function createPlaceTest(paths: string[]): (when?: 'now' | 'lately') => boolean {
  const placed = paths.map(identify)
  let [isInPlace, lookedAt] = [true, performance.now()]
  return (when = 'lately') => {
    const time = performance.now()
    if (!isInPlace || (when === 'lately' && time - lookedAt < PLACE_PERIOD_MS)) return isInPlace
    lookedAt = time
    isInPlace = paths.every((path, at) => placed[at] === undefined || identify(path) === placed[at])
    return isInPlace
  }
}

/** What was committed to a file that is no longer there is lost, and must not be acknowledged. */
export function requireInPlace(path: string, isInPlace: ReturnType<typeof createPlaceTest>): void {
  if (!isInPlace('now')) throw new DamagedFile(`${path} was removed or replaced while it was open`)
}

/** The same for the same file, whatever it contains; undefined if there is none. */
function identify(path: string): string | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    return found && `${found.dev} ${found.ino}`
  } catch {
    return undefined
  }
}
