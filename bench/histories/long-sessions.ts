import { join } from 'node:path'
import { createRandom, toWord } from '../../src/commands/bench/texts.ts'

// Sessions as long and as wordy as those of people: what they ask and are told is made of the notes of bench/wordings,
// whose words have the frequencies of prose, with names that are rarer the higher their number (Zipf's law); what their
// tools return is made of the files of this repository.

const ROOT = join(import.meta.dir, '../..')
/** Share of words that are names: of branches, people, tickets, functions. */
const NAME_SHARE = 0.04
const NAMES = 200_000
const FOLDERS = 40

/** Lines of sessions, the same for the same numbers; and two or three words of a prompt to look for. */
export type LongSessions = {
  line: (session: number, at: number) => { text: string; call?: object; result?: string }
  query: (at: number) => string
}

/** Reads the texts that sessions are made of. */
export async function openLongSessions(): Promise<LongSessions> {
  const notes = await readNotes()
  const files = [...new Bun.Glob('{src,docs,test}/**/*.{ts,md}').scanSync(ROOT)].sort()
  const sources = await Promise.all(files.map(async (file) => (await Bun.file(join(ROOT, file)).text()).split('\n')))

  function open(seed: number) {
    const random = createRandom(seed)
    const pick = <T>(from: T[]): T => from[Math.floor(random() * from.length)] as T
    const count = (least: number, most: number) => least + Math.floor(random() * (most - least + 1))
    const name = () => toWord(Math.floor(NAMES ** random()))
    const say = (sentences: number) =>
      Array.from({ length: sentences }, () => pick(notes))
        .join(' ')
        .split(' ')
        .map((word) => (random() < NAME_SHARE ? name() : word))
        .join(' ')
    const file = () => `/home/ada/${toWord(seed % FOLDERS)}/${pick(files)}`
    const excerpt = (lines: number) => {
      const source = pick(sources)
      const from = Math.floor(random() * source.length)
      return source.slice(from, from + lines).join('\n')
    }
    const call = (): [object, string] => {
      const kind = random()
      if (kind < 0.4) return [{ name: 'Read', input: { file_path: file() } }, excerpt(count(40, 200))]
      const [old_string, new_string] = [excerpt(count(2, 12)), excerpt(count(2, 12))]
      if (kind < 0.6) return [{ name: 'Edit', input: { file_path: file(), old_string, new_string } }, new_string]
      const command = pick([`bun test ${file()}`, `git log -S ${name()} --oneline`, `grep -rn ${name()} ${file()}`])
      return [{ name: 'Bash', input: { command, description: say(1).slice(0, 60) } }, excerpt(count(5, 60))]
    }
    return { say, call, count }
  }

  /** Of 20 lines the first is a prompt and the last the answer; between them are calls and their results. */
  function line(session: number, at: number) {
    const turn = at % 20
    const { say, call, count } = open((session * 10_000 + at - (turn % 2 === 0 && turn > 0 ? 1 : 0)) | 0)
    if (turn === 0) return { text: say(count(1, 3)) }
    if (turn === 19) return { text: say(count(2, 8)) }
    const [made, result] = call()
    return turn % 2 === 1 ? { text: count(0, 2) === 0 ? say(1) : '', call: made } : { text: '', result }
  }

  function query(at: number): string {
    const words = line(at, 0).text.split(/[^\p{L}\p{N}]+/u)
    return (
      words
        .filter((word) => word.length > 4)
        .slice(0, 2 + (at % 2))
        .join(' ') || 'nothing'
    )
  }
  return { line, query }
}

async function readNotes(): Promise<string[]> {
  const lines = (await Bun.file(join(ROOT, 'bench/wordings/notes.jsonl')).text()).trim().split('\n')
  return lines.map((line) => String(JSON.parse(line).text))
}
