import { Database } from 'bun:sqlite'
import { readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { SQL } from 'bun'
import { fillProject, type Text } from './dataset.ts'
import { startServer } from './server.ts'
import { openOn } from './service.ts'

// What a record takes on disk, by table and index, after vacuum, beside the embedded engine:
// `bun bench/postgres/size.ts [--texts 10000] [--projects 1] NOTES.jsonl…`. A file has one JSON object a line with
// `content`; texts are taken in turn, numbered, so that none is saved twice.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    texts: { type: 'string', default: '10000' },
    cache: { type: 'string', default: join(tmpdir(), 'memsvc-bench-size') },
  },
})
const count = Number(values.texts)
const notes = positionals.flatMap((file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => String(JSON.parse(line).content)),
)
const texts = Array.from({ length: count }, (_, at): Text => {
  const round = Math.floor(at / notes.length)
  const content = notes[at % notes.length] ?? ''
  return { content: round === 0 ? content : `${content} (${round})`, source: at % 4 === 0 ? `docs/${at}.md` : null }
})

type Part = { name: string; bytes: number; of: string }

async function measurePostgres(): Promise<Part[]> {
  const server = await startServer(values.cache)
  try {
    await server.drop('size')
    const { url } = await server.database('size')
    const { service, first, close } = await openOn(url)
    await fillProject(service, first.projectId, first.authorId, texts)
    await close()
    await using client = new SQL({ url, max: 1 })
    await client.unsafe('vacuum full analyze')
    const tables =
      await client`select relname as name, pg_relation_size(oid)::float8 as bytes, 'rows' as of from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace
      union all select t.relname || ' (out of line)', pg_total_relation_size(x.oid)::float8, 'toast' from pg_class t
        join pg_class x on x.oid = t.reltoastrelid where t.relnamespace = 'public'::regnamespace
      union all select relname, pg_relation_size(oid)::float8, 'index' from pg_class
        where relkind = 'i' and relnamespace = 'public'::regnamespace`
    return tables
  } finally {
    await server.stop()
  }
}

async function measureFiles(): Promise<Part[]> {
  const { service, first, close } = await openOn(undefined)
  await fillProject(service, first.projectId, first.authorId, texts)
  await service.store.tidy()
  const file = join(service.config.dataDir, 'projects', `${first.projectId}.db`)
  const copy = join(service.config.dataDir, 'copy.db')
  const database = new Database(file)
  database.run(`vacuum into '${copy}'`)
  database.close()
  const bytes = statSync(copy).size
  await close()
  return [{ name: 'the file of the project', bytes, of: 'file' }]
}

const sum = (parts: Part[]) => parts.reduce((total, { bytes }) => total + bytes, 0)
const [files, tables] = [await measureFiles(), await measurePostgres()]
for (const { name, bytes, of } of tables.toSorted((a, b) => b.bytes - a.bytes).slice(0, 24))
  console.log(`${name.padEnd(62)} ${of.padEnd(6)} ${(bytes / count).toFixed(0).padStart(6)} bytes a record`)
console.log(
  `\n${count} texts of ${Math.round(texts.reduce((all, { content }) => all + content.length, 0) / count)} characters`,
)
console.log(
  `files ${(sum(files) / count).toFixed(0)}, PostgreSQL ${(sum(tables) / count).toFixed(0)} bytes a record: ${(sum(tables) / sum(files)).toFixed(2)} times`,
)
