import { Database } from 'bun:sqlite'
import { readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { SQL } from 'bun'
import { openCorpus } from '../corpus.ts'
import { fillProject, type Text } from './dataset.ts'
import { startServer } from './server.ts'
import { openOn } from './service.ts'

// What a record takes on disk, by table and index, after vacuum, beside the embedded engine:
// `bun bench/postgres/size.ts [--texts 10000] [NOTES.jsonl…]`. A file has one JSON object a line with `content`; texts
// are taken in turn, numbered, so that none is saved twice. Without a file they are made up. Compared are the tables
// that a project's file has, too: what an installation takes without any record is printed beside them.

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
const { text } = openCorpus([], [])
const takeNote = (at: number): string => {
  const round = Math.floor(at / notes.length)
  const content = notes[at % notes.length] ?? ''
  return round === 0 ? content : `${content} (${round})`
}
const texts = Array.from(
  { length: count },
  (_, at): Text => ({
    content: notes.length === 0 ? text(at) : takeNote(at),
    source: at % 4 === 0 ? `docs/${at}.md` : null,
  }),
)

/** `isOfProject`: of a table of a project's data, which the embedded engine has in the project's file. */
type Part = { name: string; bytes: number; of: string; isOfProject: boolean }

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
    return await client`with own as (select oid, relname, reltoastrelid, relname !~ '^history_'
          and exists (select 1 from pg_attribute where attrelid = pg_class.oid and attname = 'project_id' and atttypid = 'integer'::regtype)
          as is_of_project from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace)
      select relname as name, pg_relation_size(oid)::float8 as bytes, 'rows' as of, is_of_project as "isOfProject" from own
      union all select relname || ' (out of line)', pg_total_relation_size(reltoastrelid)::float8, 'toast', is_of_project
        from own where reltoastrelid <> 0
      union all select i.relname, pg_relation_size(i.oid)::float8, 'index', is_of_project
        from own join pg_index on indrelid = own.oid join pg_class i on i.oid = indexrelid`
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
  const { size: bytes } = statSync(copy)
  const { size: control } = statSync(join(service.config.dataDir, 'control.db'))
  await close()
  return [
    { name: 'the file of the project', bytes, of: 'file', isOfProject: true },
    { name: 'control.db', bytes: control, of: 'file', isOfProject: false },
  ]
}

const sum = (parts: Part[], isOfProject: boolean) =>
  parts.filter((part) => part.isOfProject === isOfProject).reduce((total, { bytes }) => total + bytes, 0)
const [files, tables] = [await measureFiles(), await measurePostgres()]
for (const { name, bytes, of } of tables
  .filter(({ isOfProject }) => isOfProject)
  .toSorted((a, b) => b.bytes - a.bytes)
  .slice(0, 24))
  console.log(`${name.padEnd(62)} ${of.padEnd(6)} ${(bytes / count).toFixed(0).padStart(6)} bytes a record`)
const [ofFile, ofTables] = [sum(files, true), sum(tables, true)]
console.log(
  `\n${count} texts of ${Math.round(texts.reduce((all, { content }) => all + content.length, 0) / count)} characters`,
)
console.log(
  `file ${(ofFile / count).toFixed(0)}, PostgreSQL ${(ofTables / count).toFixed(0)} bytes a record: ${(ofTables / ofFile).toFixed(2)} times`,
)
console.log(`besides: control.db ${sum(files, false)}, all other tables ${sum(tables, false)} bytes`)
