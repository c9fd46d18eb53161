import { appendFile, mkdir, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { LINE_WRITERS, type LineAssistant } from './lines.ts'
import { type Line, type Session, toOddLine, type Writer } from './writer.ts'

const toBytes = (lines: Line[]) => Buffer.from(lines.map(({ text }) => `${text}\n`).join(''))

export type HistoryFile = Awaited<ReturnType<typeof writeHistoryFile>>

type Options = { assistant: LineAssistant; sourceKey: string; file: string; session: Session; copied?: Line[] }

/** A history in a file of lines, as its assistant writes and ill-treats it, and what stands in it. */
export async function writeHistoryFile(
  writer: Writer,
  { assistant, sourceKey, file: first, session, copied = [] }: Options,
) {
  const { random } = writer
  const format = LINE_WRITERS[assistant]
  let file = first
  let lines: Line[] = [...format.begin(writer, session), ...copied]
  /** The line that is written in part, and how much of it. */
  let partial: { line: Line; bytes: Buffer; written: number } | undefined
  let rewrites = 0
  let isGone = false
  let isCompressed = false

  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, toBytes(lines))

  /** A compressed file is made a plain one again before it is written to. */
  async function inflate(): Promise<void> {
    if (!isCompressed) return
    await writeFile(file, toBytes(lines))
    await rm(`${file}.zst`)
    isCompressed = false
  }

  /** Writes the rest of a line that was begun. */
  async function complete(): Promise<void> {
    await inflate()
    if (partial === undefined) return
    await appendFile(file, partial.bytes.subarray(partial.written))
    lines.push(partial.line)
    partial = undefined
  }

  async function rewrite(kept: Line[], write: (bytes: Buffer) => Promise<void>): Promise<void> {
    await inflate()
    lines = kept
    partial = undefined
    rewrites += 1
    await write(toBytes(lines))
  }

  return {
    assistant,
    sourceKey,
    session,
    lines: () => lines,
    path: () => file,
    isGone: () => isGone,
    /** How often what was written before has been changed. */
    rewrites: () => rewrites,
    complete,
    append: async (): Promise<void> => {
      await complete()
      const added = Array.from({ length: 1 + random.below(20) }, () =>
        random.chance(0.1) ? toOddLine(writer) : format.next(writer, session),
      )
      await appendFile(file, toBytes(added))
      lines = [...lines, ...added]
    },
    /** A part of the next line, which may end within a character; or a further part of it. */
    appendPart: async (): Promise<void> => {
      await inflate()
      if (partial === undefined) {
        const line = format.next(writer, session)
        partial = { line, bytes: toBytes([line]), written: 0 }
      }
      const rest = partial.bytes.length - partial.written
      const part = partial.bytes.subarray(partial.written, partial.written + random.below(rest))
      await appendFile(file, part)
      partial.written += part.length
    },
    /** Cut back in place by some of its last lines. */
    cutBack: () => {
      const kept = lines.slice(0, Math.max(2, lines.length - 1 - random.below(5)))
      return rewrite(kept, (bytes) => truncate(file, bytes.length))
    },
    /** Written anew in place without one of its lines. */
    removeLine: () => {
      const at = 2 + random.below(lines.length)
      const kept = lines.filter((_, nth) => nth !== at)
      return rewrite(kept, (bytes) => writeFile(file, bytes))
    },
    /** Another file takes its place, with other last lines. */
    replace: () => {
      const kept = [...lines.slice(0, Math.max(2, lines.length - 1)), format.next(writer, session)]
      return rewrite(kept, async (bytes) => {
        await writeFile(`${file}.new`, bytes)
        await rename(`${file}.new`, file)
      })
    },
    move: async (to: string): Promise<void> => {
      await inflate()
      await mkdir(dirname(to), { recursive: true })
      await rename(file, to)
      file = to
    },
    /** Compressed beside the plain file, which is deleted or, after a crash in between, stays. */
    compress: async (): Promise<void> => {
      await complete()
      await writeFile(`${file}.zst`, await Bun.zstdCompress(toBytes(lines), { level: 3 }))
      isCompressed = random.chance(0.7)
      if (isCompressed) await rm(file)
    },
    delete: async (): Promise<void> => {
      await rm(file, { force: true })
      await rm(`${file}.zst`, { force: true })
      isGone = true
    },
  }
}
