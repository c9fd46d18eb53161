/**
 * Reads a long list slice by slice. `read` gets the `next` of the previous slice, at first undefined; the list ends
 * with the slice whose `next` is undefined.
 */
export async function* eachSlice<Place, Slice extends { next: Place | undefined }>(
  read: (from: Place | undefined) => Promise<Slice>,
): AsyncGenerator<Slice> {
  let from: Place | undefined
  do {
    const slice = await read(from)
    yield slice
    from = slice.next
  } while (from !== undefined)
}
