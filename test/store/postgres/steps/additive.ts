import type { Migration } from '../../../../src/store/migrations.macro.ts'

const NAME = '(?:only )?"?(\\w+)"?'

/** What an instance of the version before does not notice of tables that it uses. */
const ADDITIVE = [
  /^create (unlogged )?(table|sequence|function|index|view|type)\b/i,
  /^insert into\b/i,
  new RegExp(`^alter table ${NAME} add column (?!.*\\b(unique|primary key|references|check)\\b)(?!.*not null)`, 'i'),
  new RegExp(`^alter table ${NAME} add column (?!.*\\b(unique|primary key|references|check)\\b)(?=.*default)`, 'i'),
]

/** The table that a statement changes. */
const OF_TABLE = new RegExp(`(?:^alter table|^insert into|\\bon) ${NAME}`, 'i')
const NEW_TABLE = new RegExp(`^create (?:unlogged )?table ${NAME}`, 'i')
const UNUSED_SINCE = /^-- Unused since (\w+)\.$/m

/**
 * Statements of a step that may disturb an instance of the version before. What the step before stopped using may be
 * dropped: a comment says so (`-- Unused since 0001_name.`), where `earlier` has that name.
 */
export function findNotAdditive(step: Migration, earlier: string[]): string[] {
  const statements = step.sql.split('--> statement-breakpoint').map((text) => text.trim())
  const bare = (text: string) => text.replaceAll(/^--.*$/gm, '').trim()
  const made = statements.flatMap((text) => NEW_TABLE.exec(bare(text))?.[1] ?? [])
  return statements.filter((text) => {
    const unusedSince = UNUSED_SINCE.exec(text)?.[1]
    if (unusedSince !== undefined && earlier.includes(unusedSince)) return false
    const isOfNew = made.includes(OF_TABLE.exec(bare(text))?.[1] ?? '')
    return !isOfNew && !ADDITIVE.some((pattern) => pattern.test(bare(text)))
  })
}
