import { SQL } from 'bun'
import { COMMAND_LINE } from '../../src/account/auth/actor.ts'
import { addProject } from '../../src/account/organizations/project.ts'
import { toEntry } from '../../src/memory/search/index/index-entry.ts'
import type { Service } from '../../src/service.ts'
import type { Account } from '../../src/store/account.ts'
import { openConnection } from '../../src/store/postgres/connection.ts'
import type { NewRecord } from '../../src/store/record.ts'
import { type Corpus, openCorpus } from '../corpus.ts'
import { toRecord } from '../record.ts'
import { loadProject } from './load.ts'

/** Texts saved in one write. */
const BATCH_TEXTS = 250
/** Texts that share a source, as turns of a conversation do. */
const TEXTS_PER_SOURCE = 20

export type Text = { id?: string; content: string; source: string | null }

const toWhole = ({ id, content, source }: Text, at: number, workspaceId: number, authorId: string): NewRecord => ({
  ...toRecord({
    ...(id !== undefined && { id }),
    workspaceId,
    authorId,
    content,
    factKey: `note ${at}`,
    sourceId: source,
  }),
  entry: toEntry({ content, askedAs: null }),
})

/** Fills a project with texts in their order, past the guard, and tells how many there are every ten thousand. */
export async function fillProject(
  { store }: Service,
  projectId: string,
  authorId: string,
  texts: Text[],
): Promise<void> {
  const project = store.project(projectId)
  const workspace = await project.write((tx) => tx.insertWorkspace('default', 1))
  for (let at = 0; at < texts.length; at += BATCH_TEXTS) {
    const batch = texts.slice(at, at + BATCH_TEXTS).map((text, nth) => toWhole(text, at + nth, workspace.id, authorId))
    await project.write(async (tx) => {
      for (const record of batch) await tx.insertRecord(record)
    })
    if ((at + BATCH_TEXTS) % 10_000 === 0 && texts.length > 10_000)
      console.error(`  ${at + BATCH_TEXTS} of ${texts.length}`)
  }
}

export type Filled = { projects: string[]; texts: Map<string, string[]>; corpus: Corpus }

/**
 * Makes `projects` projects with `size` texts in all; the first is the one that is there. The same texts every time.
 * `url` is of the database of the service, if it has one.
 */
export async function fill(
  service: Service,
  first: { account: Account; projectId: string; authorId: string },
  size: number,
  projects: number,
  url?: string,
): Promise<Filled> {
  const corpus = openCorpus([], [])
  const texts = new Map<string, string[]>()
  const connection = url === undefined ? undefined : await openConnection(url)
  for (let at = 0; at < projects; at++) {
    const id =
      at === 0
        ? first.projectId
        : (await addProject(service, COMMAND_LINE, { account: first.account, name: `project ${at}` })).id
    const own = Array.from({ length: Math.floor(size / projects) }, (_, nth) => corpus.text(nth))
    texts.set(id, own)
    const toText = (nth: number) => ({ content: own[nth] ?? '', source: `s${Math.floor(nth / TEXTS_PER_SOURCE)}` })
    if (connection === undefined)
      await fillProject(
        service,
        id,
        first.authorId,
        own.map((_, nth) => toText(nth)),
      )
    else await loadProject(connection, id, (nth) => toWhole(toText(nth), nth, 1, first.authorId), own.length)
    if (projects > 1 && (at + 1) % 100 === 0) console.error(`  ${at + 1} of ${projects} projects`)
  }
  await connection?.close()
  await service.store.tidy()
  return { projects: [...texts.keys()], texts, corpus }
}

/** The same texts in a table of PostgreSQL's own text search: a column of `tsvector` with a GIN index. */
export async function fillPlain(url: string, texts: Map<string, string[]>): Promise<void> {
  await using client = new SQL({ url, max: 1 })
  await client.unsafe(`create table if not exists plain (project_id text not null, id bigserial primary key, content text not null,
    words tsvector generated always as (to_tsvector('english', content)) stored)`)
  for (const [projectId, own] of texts)
    for (let at = 0; at < own.length; at += 5_000)
      await client`insert into plain (project_id, content) select ${projectId}, value from json_array_elements_text(${JSON.stringify(own.slice(at, at + 5_000))}::text::json)`
  await client.unsafe('create index if not exists plain_words on plain using gin (words)')
  await client.unsafe('create index if not exists plain_project on plain (project_id)')
  await client.unsafe('vacuum analyze plain')
}

/** Finds by any of the question's words, best first, as PostgreSQL alone would. */
export async function searchPlain(client: SQL, projectId: string, question: string): Promise<number> {
  const words = (question.match(/[\p{L}\p{N}]+/gu) ?? []).join(' or ')
  const found = await client`select id, content from plain, websearch_to_tsquery('english', ${words}) as query
    where project_id = ${projectId} and words @@ query order by ts_rank_cd(words, query) desc limit 10`
  return found.length
}
