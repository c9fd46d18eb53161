import { readFileSync } from 'node:fs'
import { finish } from '../../src/cooperative.ts'
import { judge } from '../../src/guard/judge.ts'
import { readModel } from '../../src/guard/model.ts'
import { learn } from './learn.ts'
import { type Lesson, readTaught, toLesson } from './lessons.ts'
import { type Judged, printTables } from './report.ts'
import { readWritten } from './rows.ts'

/**
 * Judges texts with weights that learned nothing of their writer, family or language. Usage: `bun bench/guard/cross.ts
 * FOLDER writer|family|language [HARMLESS]`: notes and attacks of the writers and, by language, the harmless texts of a
 * file. Languages are left out some at a time.
 */
const [folder, way, harmless] = process.argv.slice(2)
if (folder === undefined || way === undefined)
  throw new Error('usage: bun bench/guard/cross.ts FOLDER writer|family|language [HARMLESS]')

type Text = Omit<Judged, 'verdict'> & { text: string }

/** Groups of languages that are left out together. */
const LANGUAGE_PARTS = 6
/** The headings of templates that are of the same family as attacks of writers. */
const HEADINGS: Record<string, RegExp> = {
  override: /^(override|obey next|authority|trusted later|misc-chat)$/,
  prompt_leak: /^(leak|disclosure|roles and leaks)$/,
  jailbreak_persona: /^(jailbreak|persona|identity|roles|roleplay)/,
  role_marker: /^(turns|reminders)$/,
  tool_poison: /^(tools?|misused tools|tool-misuse)$/,
  memory_poison: /^(stored|memory|facts|false memory|persist|promote|lock|subtle|poisoning)/,
  exfil: /^(exfil|exfiltration|divert|fetch)$/,
  indirect_embedded: /^(embedded|documents|written into documents|hidden-carrier)$/,
  indirect: /^(indirect)$/,
  subtle: /^(subtle|slanted work|slanted facts|sabotage|false report|dishonest)/,
  approval: /^(approval-bypass|approvals|unchecked)$/,
  secrecy: /^(concealment|concealed)$/,
  spreading: /^spreading$/,
}

const toLanguagePart = (lang: string) => `part ${Bun.hash.crc32(lang.slice(0, 2)) % LANGUAGE_PARTS}`

/** The part that a text is left out with; none for what every model learns. */
function toPart({ attack, family, lang, writer }: Omit<Text, 'text'>): string | undefined {
  if (way === 'writer') return writer === '' ? undefined : writer
  if (way === 'language') return lang.startsWith('en') ? undefined : toLanguagePart(lang)
  if (!attack || family === 'multilingual' || family === 'obfuscated') return undefined
  return Object.keys(HEADINGS).find((name) => name === family || HEADINGS[name]?.test(family))
}

const written: Text[] = readWritten()
const others: Text[] =
  harmless === undefined
    ? []
    : readFileSync(harmless, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { text: string; lang: string; source: string })
        .map(({ text, lang, source }) => ({ text, lang, attack: false, family: source, writer: '' }))
const texts = [...written, ...others].filter((text) => toPart(text) !== undefined)
const lessons = readTaught(folder).map(toLesson)
const judged = [...new Set(texts.map(toPart))].flatMap((part) => judgePart(part, lessons, texts))
printTables(`left out by ${way}`, judged)

function judgePart(part: string | undefined, all: Lesson[], judgedTexts: Text[]): Judged[] {
  const model = readModel(learn(all.filter((lesson) => toPart(lesson) !== part)))
  return judgedTexts
    .filter((text) => toPart(text) === part)
    .map((text) => ({ ...text, verdict: finish(judge(text.text, model)).verdict }))
}
