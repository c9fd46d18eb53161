/** Reads the output of a process. */
export function listen(stream: ReadableStream<Uint8Array>) {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let said = ''

  /** Reads another chunk; false at the end. */
  async function more(): Promise<boolean> {
    const { value, done } = await reader.read()
    said += decoder.decode(value, { stream: true })
    return !done
  }

  return {
    /**
     * Waits until the pattern matches and returns its first group; later calls search after that match. Throws at the
     * end of the output.
     */
    until: async (pattern: RegExp): Promise<string> => {
      for (let found = pattern.exec(said); ; found = pattern.exec(said)) {
        if (found?.[1] !== undefined) {
          said = said.slice(found.index + found[0].length)
          return found[1]
        }
        if (!(await more())) throw new Error(`not said: ${pattern}; said was: ${said}`)
      }
    },
    /** The rest of the output. */
    rest: async (): Promise<string> => {
      while (await more());
      return said
    },
  }
}
