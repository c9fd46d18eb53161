// How often an answer names another workspace as clearly better: the texts of each set are put into two workspaces by
// their sources, and each question is asked in the one that has its answer, where it should not be named, and in the
// other one, where it should. Usage: bun bench/other-workspaces.ts FOLDER (FOLDER: files {projects: [{docs: [{id, text,
// src}], queries: [{text, rel: {id: 1, …}}]}]})
import { join } from 'node:path'
import { searchMemory } from '../src/memory/search/search.ts'
import { keep } from './keep.ts'
import { openBenchService } from './service.ts'

type Doc = { id: string; text: string; src?: string }
type Project = { docs: Doc[]; queries: { text: string; rel: Record<string, number> }[] }

/** A set is cut to so many texts and questions. */
const MAX_DOCS = 1_200
const MAX_QUESTIONS = 120
const MAX_CHARACTERS = 20_000
const WORKSPACES = ['first', 'second'] as const

const placeOf = ({ src, id }: Doc) => WORKSPACES[Number(Bun.hash(src ?? id) % 2n)] ?? 'first'

/** Shares of answers that name another workspace, of those that hold the answer and of those asked where it is not. */
async function measure({ docs, queries }: Project): Promise<[right: number, wrong: number]> {
  const opened = await openBenchService()
  const places = new Map<string, string>()
  const ids = new Map<string, string>()
  await Promise.all(
    docs.slice(0, MAX_DOCS).map(async (doc) => {
      places.set(doc.id, placeOf(doc))
      ids.set(
        await keep(opened, { content: doc.text.slice(0, MAX_CHARACTERS).trim() || '-', workspace: placeOf(doc) }),
        doc.id,
      )
    }),
  )
  const [right, wrong]: [boolean[], boolean[]] = [[], []]
  for (const { text, rel } of queries
    .filter((query) => Object.keys(query.rel).every((id) => places.has(id)))
    .slice(0, MAX_QUESTIONS)) {
    const [place, ...others] = new Set(Object.keys(rel).map((id) => places.get(id)))
    if (place === undefined || others.length > 0) continue
    const ask = (workspace: string) => searchMemory(opened.service, opened.caller, { query: text, workspace, limit: 5 })
    const { result, hint } = await ask(place)
    if (!result.some(({ id }) => (ids.get(id) ?? '') in rel)) continue
    right.push(hint?.other_workspaces !== undefined)
    wrong.push((await ask(place === 'first' ? 'second' : 'first')).hint?.other_workspaces !== undefined)
  }
  await opened.close()
  return [shareOf(right), shareOf(wrong)]
}

const shareOf = (found: boolean[]) => found.filter(Boolean).length / Math.max(1, found.length)

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('usage: bun bench/other-workspaces.ts FOLDER')
console.log('set                 named where the answer is   where it is not')
const all: [number, number][] = []
for (const name of [...new Bun.Glob('*.json').scanSync(folder)].sort()) {
  const { projects } = (await Bun.file(join(folder, name)).json()) as { projects: [Project] }
  const shares = await measure(projects[0])
  all.push(shares)
  console.log(`${name.replace('.json', '').padEnd(20)}${shares.map((share) => share.toFixed(3).padEnd(28)).join('')}`)
}
console.log(
  `mean                ${[0, 1].map((at) => (all.reduce((sum, pair) => sum + (pair[at] ?? 0), 0) / all.length).toFixed(3).padEnd(28)).join('')}`,
)
