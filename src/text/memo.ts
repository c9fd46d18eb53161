/** Remembers what was made of a text, up to twice `most` entries: what two generations hold is the working vocabulary. */
export function createMemo<Made>(most: number, make: (text: string) => Made): (text: string) => Made {
  let young = new Map<string, Made>()
  let old = new Map<string, Made>()
  return (text) => {
    const found = young.get(text)
    if (found !== undefined) return found
    const made = old.get(text) ?? make(text)
    if (young.size >= most) {
      old = young
      young = new Map()
    }
    young.set(text, made)
    return made
  }
}
