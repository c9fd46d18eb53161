import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { install, readSize } from './install.ts'
import type { Peer, Place } from './peer.ts'
import { EXECUTABLE } from './programs/memsvc.ts'

/** What was measured of a program, or why nothing was. */
export type Tried<Of> = { installedMib: number | null; measured: Of | undefined; reason: string | undefined }

type Limits = { cache: string; timeoutMs: number; interrupted: AbortSignal; say: (what: string) => void }

/**
 * Installs a program into the folder `cache`, and measures it on an empty home that is gone afterwards. What does not
 * end within its time is left out.
 */
export async function tryPeer<Of>(
  peer: Peer,
  { cache, timeoutMs, interrupted, say }: Limits,
  measure: (place: Place, signal: AbortSignal) => Promise<Of>,
): Promise<Tried<Of>> {
  const home = await mkdtemp(join(tmpdir(), 'memsvc-peers-'))
  try {
    say('installing')
    const installed = await install(peer, cache)
    const installedMib = (await readSize(installed || EXECUTABLE)) / 2 ** 20
    const limit = AbortSignal.timeout(Math.max(0, timeoutMs))
    const measured = await measure({ installed, home }, AbortSignal.any([interrupted, limit])).catch((error: unknown) =>
      Promise.reject(limit.aborted ? new Error('not ready within its time') : error),
    )
    return { installedMib, measured, reason: undefined }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { installedMib: null, measured: undefined, reason: reason.replaceAll(/\s+/g, ' ') }
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}
