import { spawnSync } from 'node:child_process'

/**
 * Runs at build time: the short hash and date of the commit, as `1a2b3c4 2026-01-31`, with `+` after the hash if files
 * were changed. Without Git, the environment variable `COMMIT` in the same form; otherwise empty.
 */
export function readCommit(): string {
  if (process.env.COMMIT) return process.env.COMMIT
  const git = (...args: string[]) =>
    spawnSync('git', ['-C', import.meta.dir, ...args], { encoding: 'utf8' }).stdout?.trim() ?? ''
  const [hash, date] = git('log', '-1', '--format=%h %cs').split(' ')
  if (hash === undefined || date === undefined) return ''
  const isChanged = git('status', '--porcelain', '--untracked-files=no', '--', '..') !== ''
  return `${hash}${isChanged ? '+' : ''} ${date}`
}
