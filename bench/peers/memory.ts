/**
 * Resident memory in MiB of processes with all their descendants; null where the system does not tell. Pages that two
 * of them share count twice.
 */
export function readTreeMemory(roots: number[]): number | null {
  if (Bun.which('ps') === null) return null
  const lines = Bun.spawnSync(['ps', '-A', '-o', 'pid=,ppid=,rss=']).stdout.toString().trim().split('\n')
  const processes = lines
    .map((line) => line.trim().split(/\s+/).map(Number))
    .map(([pid = 0, parent = 0, kib = 0]) => ({ pid, parent, kib }))
  const tree = new Set(roots)
  // A child stands after its parent only mostly: looked through until nothing is added.
  for (let before = -1; before < tree.size; ) {
    before = tree.size
    for (const { pid, parent } of processes) if (tree.has(parent)) tree.add(pid)
  }
  const kib = processes.filter(({ pid }) => tree.has(pid)).reduce((sum, process) => sum + process.kib, 0)
  return kib > 0 ? kib / 1_024 : null
}
