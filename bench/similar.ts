// How often a save names similar records: of notes of other teams, which should name none, and of questions with words
// of a note, which should name the note. Usage: bun bench/similar.ts OTHERS (OTHERS: a set of projects with `docs`,
// 5 000 of them are saved around the notes of bench/wordings)
import { toDraft } from '../src/memory/records/save/draft.ts'
import { findCandidates, selectSimilar } from '../src/memory/records/save/similar.ts'
import { visibleTo } from '../src/memory/visibility.ts'
import { keep } from './keep.ts'
import { openBenchService } from './service.ts'
import { OTHER_TEAMS, readSet } from './wordings/set.ts'

const OTHERS = 5_000

const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('usage: bun bench/similar.ts OTHERS')
const { projects } = (await Bun.file(file).json()) as { projects: { docs: { text: string }[] }[] }
const opened = await openBenchService()
const { service, caller } = opened
const ids = new Map<string, string>()
for (const { text } of projects.flatMap(({ docs }) => docs).slice(0, OTHERS)) await keep(opened, { content: text })
const { notes, questions } = await readSet()
for (const { id, text } of notes) ids.set(await keep(opened, { content: text }), id)

const project = service.store.project(caller.projectId)
const similarTo = async (content: string) => {
  const draft = await toDraft(service, caller, { content }, service.clock.now())
  const looked = await findCandidates(project, visibleTo(caller), draft)
  const found = await selectSimilar(project, visibleTo(caller), looked, draft, { saved: 0, named: new Set() })
  return found.map(({ id }) => ids.get(id))
}
const { notes: unrelated } = await readSet(OTHER_TEAMS)
const asked = questions.filter(({ kind }) => kind === 'same')
let [named, found] = [0, 0]
for (const { text } of unrelated) if ((await similarTo(text)).length > 0) named += 1
for (const { note, question } of asked) if ((await similarTo(question)).includes(note ?? '')) found += 1
console.log(`notes of other teams that name any: ${(named / unrelated.length).toFixed(2)}`)
console.log(`questions with words of a note that name it: ${(found / asked.length).toFixed(2)}`)
await opened.close()
