/** A number and its noun in the singular or plural: `1 session`, `3 sessions`. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`
}
