import { MAX_ANSWER_BYTES } from '../answer-body.ts'

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const SPACE = 0x20
const DATA_FIELD = Buffer.from('data:')

/**
 * The data of each event of a `text/event-stream`; several data lines are joined by LF. Lines end in LF, CR LF or CR; comments and other fields are ignored.
 * An incomplete event at the end is dropped, as the specification requires. Throws RangeError for an event above `maxBytes`.
 */
export async function* readEvents(chunks: AsyncIterable<Uint8Array>, maxBytes = MAX_ANSWER_BYTES): AsyncGenerator<Uint8Array> {
  let data: Uint8Array[] = []
  let bytes = 0
  for await (const line of readStreamLines(chunks, maxBytes)) {
    if (line.length > 0) {
      const value = findData(line)
      if (value === undefined) continue
      data.push(value)
      bytes += value.length + 1
      if (bytes > maxBytes) throw new RangeError('the event is too large')
    } else if (data.length > 0) {
      yield joinLines(data)
      data = []
      bytes = 0
    }
  }
}

function findData(line: Uint8Array): Uint8Array | undefined {
  if (!DATA_FIELD.equals(line.subarray(0, DATA_FIELD.length))) return undefined
  return line.subarray(line[DATA_FIELD.length] === SPACE ? DATA_FIELD.length + 1 : DATA_FIELD.length)
}

function joinLines(lines: Uint8Array[]): Uint8Array {
  if (lines.length === 1 && lines[0] !== undefined) return lines[0]
  return Buffer.concat(lines.flatMap((line, at) => (at === 0 ? [line] : [Buffer.of(LINE_FEED), line])))
}

async function* readStreamLines(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = []
  let length = 0
  let endedByReturn = false
  for await (const chunk of chunks) {
    let start = endedByReturn && chunk[0] === LINE_FEED ? 1 : 0
    if (chunk.length > 0) endedByReturn = false
    for (let at = findLineEnd(chunk, start); at < chunk.length; at = findLineEnd(chunk, start)) {
      yield Buffer.concat([...parts, chunk.subarray(start, at)])
      parts = []
      length = 0
      const isReturn = chunk[at] === CARRIAGE_RETURN
      endedByReturn = isReturn && at + 1 === chunk.length
      start = isReturn && chunk[at + 1] === LINE_FEED ? at + 2 : at + 1
    }
    parts.push(chunk.slice(start))
    length += chunk.length - start
    if (length > maxBytes) throw new RangeError('the event is too large')
  }
}

/** Index of the first LF or CR; the chunk's length if there is none. */
function findLineEnd(chunk: Uint8Array, from: number): number {
  const feed = chunk.indexOf(LINE_FEED, from)
  const before = feed < 0 ? chunk : chunk.subarray(0, feed)
  const carriage = before.indexOf(CARRIAGE_RETURN, from)
  if (carriage >= 0) return carriage
  return feed < 0 ? chunk.length : feed
}
