/** Listens to what a process says. */
export function listen(stream: ReadableStream<Uint8Array>) {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let said = ''

  /** Whether there was more. */
  async function more(): Promise<boolean> {
    const { value, done } = await reader.read()
    said += decoder.decode(value, { stream: true })
    return !done
  }

  return {
    /** The first group of the pattern once it is said; what came up to its end is not looked at again. Throws when it never is. */
    until: async (pattern: RegExp): Promise<string> => {
      for (let found = pattern.exec(said); ; found = pattern.exec(said)) {
        if (found?.[1] !== undefined) {
          said = said.slice(found.index + found[0].length)
          return found[1]
        }
        if (!(await more())) throw new Error(`not said: ${pattern}; said was: ${said}`)
      }
    },
    /** Everything else to the end. */
    rest: async (): Promise<string> => {
      while (await more());
      return said
    },
  }
}
