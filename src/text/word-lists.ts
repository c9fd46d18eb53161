/** Reads a list of words: each line has a name, a colon and what stands under it; `#` begins a comment. */
export function readWordLists(list: string): [name: string, words: string][] {
  return list.split('\n').flatMap((line): [string, string][] => {
    const at = line.indexOf(': ')
    return line.startsWith('#') || at < 0 ? [] : [[line.slice(0, at), line.slice(at + 2)]]
  })
}
