// What a model is given to read, in tokens (bytes / 4), by this source and by other checkouts of it that do the same:
// the two sessions of README's scenario, 60 questions to the notes of bench/wordings, and 60 headings of docs/ searched
// for in its pages, saved by sections and whole. Also for how many questions the first result is the same.
// Usage: bun bench/tokens.ts [CHECKOUT …]   (CHECKOUT: a folder with an earlier commit and its dependencies)
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import type { Subprocess } from 'bun'
import { ask, startExecutable } from '../test/smoke/running.ts'

const ROOT = join(import.meta.dir, '..')
const QUESTIONS = 60
const BYTES_PER_TOKEN = 4
const TUESDAYS = 'Releases go out on Tuesdays, because support is fully staffed then'
const INITIALIZE = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } }

type Note = { id: string; text: string }
type Question = { note: string | null; question: string }
type Tool = { name: string; description: string; inputSchema: object }
type Found = { fact_key: string; source_id?: string }
type Measured = { tokens: Record<string, number>; firsts: Record<string, (string | undefined)[]> }

const readLines = async <T>(name: string): Promise<T[]> =>
  (await Bun.file(join(import.meta.dir, 'wordings', name)).text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

/** So many of a list, evenly. */
const pick = <T>(all: T[]): T[] =>
  all.filter((_, at) => Math.floor((at * QUESTIONS) / all.length) !== Math.floor(((at - 1) * QUESTIONS) / all.length))

const toTokens = (texts: string[]) =>
  Math.round(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / BYTES_PER_TOKEN)

const notes = await readLines<Note>('notes.jsonl')
const questions = pick((await readLines<Question>('questions.jsonl')).filter(({ note }) => note !== null)).map(
  ({ question }) => question,
)
const pages = await Array.fromAsync(new Bun.Glob('*.md').scan({ cwd: join(ROOT, 'docs'), absolute: true }), (path) =>
  Bun.file(path).text(),
)
const headings = pick(
  pages.sort().flatMap((page) => [...page.matchAll(/^##+ (.+)$/gm)].map(([, heading = '']) => heading)),
)

/** A service from a checkout, over an empty folder, and what is run there. */
async function open(checkout: string, folder: string, started: Subprocess[]) {
  const program = [process.execPath, join(checkout, 'src/main.ts')]
  const home = { HOME: folder, PATH: '', SVC_BACKUP_EVERY: '1d', SVC_BACKUP_DIR: join(folder, 'backups') }
  const data = join(folder, 'data')
  const { url, stop } = await startExecutable(program, folder, data, started, home)
  const env = { ...home, SVC_DATA_DIR: data, SVC_ENDPOINT: new URL(url).origin }
  const run = async (words: string[], more: Record<string, string> = {}) => {
    const child = Bun.spawn([...program, ...words], {
      cwd: folder,
      env: { ...env, ...more },
      stdout: 'pipe',
      stderr: 'inherit',
    })
    return new Response(child.stdout).text()
  }
  /** A project, its key, and a session of it. */
  const openProject = async (name: string) => {
    await run(['project', 'add', name])
    const key: string = JSON.parse(await run(['key', 'issue', '--project', name, '--json'])).key
    const call = async (tool: string, args: object) => {
      const { content, structuredContent } = await ask(url, key, 'tools/call', { name: tool, arguments: args })
      const { result } = structuredContent as { result: Found[] }
      return { text: (content as { text: string }[]).map(({ text }) => text).join('\n'), result }
    }
    const begin = async () => {
      const { instructions } = await ask(url, key, 'initialize', INITIALIZE)
      const { tools } = (await ask(url, key, 'tools/list')) as { tools: Tool[] }
      const listed = tools.map(({ name: tool, description, inputSchema }) =>
        JSON.stringify({ name: tool, description, inputSchema }),
      )
      return {
        start: [String(instructions), ...listed],
        brief: await run(['brief', '--dir', join(folder, 'shop')], { SVC_API_KEY: key }),
      }
    }
    return { call, begin }
  }
  await mkdir(join(folder, 'shop'))
  return { run, openProject, stop }
}

async function measure(checkout: string): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'memsvc-tokens-'))
  const started: Subprocess[] = []
  try {
    const { run, openProject, stop } = await open(checkout, folder, started)
    const newcomer = await openProject('newcomer')
    const first = await newcomer.begin()
    const saved = await newcomer.call('remember', { content: TUESDAYS, fact_key: 'release.day' })
    const second = await newcomer.begin()
    const found = await newcomer.call('search', { query: 'On which day do we release?', workspace: '*' })

    const answer = async (name: string, file: string, queries: string[]) => {
      const { call } = await openProject(name)
      await run(['import', file, '--project', name])
      const answers = []
      for (const query of queries) answers.push(await call('search', { query }))
      return {
        tokens: toTokens(answers.map(({ text }) => text)),
        firsts: answers.map(({ result: [best] }) => best?.source_id ?? best?.fact_key),
      }
    }
    const write = async (name: string, contents: string[]) => {
      await Bun.write(join(folder, name), contents.map((content) => JSON.stringify({ content })).join('\n'))
      return join(folder, name)
    }
    const toNotes = notes.map(({ text }) => text)
    const ofNotes = await answer('notes', await write('notes.jsonl', toNotes), questions)
    const ofSections = await answer('sections', join(ROOT, 'docs'), headings)
    const ofPages = await answer('pages', await write('pages.jsonl', pages), headings)
    await stop()
    const twoSessions = [...first.start, first.brief, saved.text, ...second.start, second.brief, found.text]
    return {
      tokens: {
        'instructions and tools, a session': toTokens(first.start),
        'briefs of two sessions': toTokens([first.brief, second.brief]),
        'answers of two sessions': toTokens([saved.text, found.text]),
        'two sessions in all': toTokens(twoSessions),
        '60 questions to notes': ofNotes.tokens,
        '60 headings in sections of pages': ofSections.tokens,
        '60 headings in whole pages': ofPages.tokens,
      },
      firsts: {
        '60 questions to notes': ofNotes.firsts,
        '60 headings in sections of pages': ofSections.firsts,
        '60 headings in whole pages': ofPages.firsts,
      },
    }
  } finally {
    for (const child of started) child.kill()
    await rm(folder, { recursive: true, force: true })
  }
}

const here = await measure(ROOT)
console.table(here.tokens)
for (const checkout of process.argv.slice(2)) {
  const there = await measure(resolve(checkout))
  const rows = Object.entries(there.tokens).map(([part, tokens]) => {
    const now = here.tokens[part] ?? 0
    const firsts = here.firsts[part]
    const same = firsts?.filter((one, at) => one === there.firsts[part]?.[at]).length
    return [
      part,
      {
        [basename(checkout)]: tokens,
        here: now,
        less: `${Math.round(100 - (100 * now) / tokens)} %`,
        'same first': same ?? '',
      },
    ]
  })
  console.table(Object.fromEntries(rows))
}
