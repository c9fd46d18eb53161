import { spawnSync } from 'node:child_process'

/**
 * Reads, while the executable is built, which commit it is built of: its short hash and date, as `1a2b3c4 2026-01-31`, with a `+` behind the hash where files differ from
 * it. Where there is no Git, `COMMIT` of the environment says it in the same form; else it is empty.
 */
export function readCommit(): string {
  if (process.env.COMMIT) return process.env.COMMIT
  const git = (...args: string[]) => spawnSync('git', ['-C', import.meta.dir, ...args], { encoding: 'utf8' }).stdout?.trim() ?? ''
  const [hash, date] = git('log', '-1', '--format=%h %cs').split(' ')
  if (hash === undefined || date === undefined) return ''
  const isChanged = git('status', '--porcelain', '--untracked-files=no', '--', '..') !== ''
  return `${hash}${isChanged ? '+' : ''} ${date}`
}
