import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { grow, pick, readSlots, type Slots } from './template.ts'

/**
 * A text grown from a template of the project, given by its number. `family`: the effect that it has or that it is the
 * harmless twin of; else the heading that its template stands below, if that is no language.
 */
export type Grown = {
  text: string
  attack: boolean
  template: number
  family: string
  language: string
  isEffect: boolean
}

/** `isAct`: not a sentence but a verb phrase, to be put into the frames of `language`. */
type Template = Omit<Grown, 'text' | 'template'> & { line: string; isAct: boolean }

const FOLDER = join(import.meta.dir, 'corpus')
/** The part of texts of an effect that stand alone, without a register. */
const PLAIN_PART = 0.4
/** Harmless texts of each template of an attack: reports that quote it. */
const REPORTS_PER_EFFECT = 2

/** Grows at most `most` texts from each template of known wordings, and `mostOfEffect` from each of an effect. */
export function growCorpus(random: () => number, most: number, mostOfEffect: number): Grown[] {
  const slots = readSlots(readFileSync(join(FOLDER, 'slots.txt'), 'utf8'))
  const forms: Forms = { registers: readForms('registers.txt'), frames: readForms('frames.txt') }
  const known = readTemplates('').map((template) => ({ template, voice: (text: string) => text, count: most }))
  const effects = readTemplates('effects').flatMap((template) => [
    { template, voice: toVoice(template, forms, slots, random), count: mostOfEffect },
    ...(template.attack
      ? [{ template: { ...template, attack: false }, voice: toReport(forms, slots, random), count: REPORTS_PER_EFFECT }]
      : []),
  ])
  return [...known, ...effects].flatMap(
    ({ template: { line, attack, family, language, isEffect }, voice, count }, number) => {
      const texts = new Set(Array.from({ length: count }, () => voice(grow(line, slots, random))))
      return [...texts].map((text) => ({ text, attack, family, language, isEffect, template: number }))
    },
  )
}

/**
 * The templates of a folder of `corpus/`: one a line, below headings. In `effects/` a line begins with `+` for an
 * attack and `-` for its twin; with `*` and `=` where it is the act alone.
 */
function readTemplates(folder: string): Template[] {
  const files = readdirSync(join(FOLDER, folder)).filter((name) => /^(?!slots|registers|frames).*\.txt$/.test(name))
  return files.sort().flatMap((name) => {
    let heading = ''
    return readFileSync(join(FOLDER, folder, name), 'utf8')
      .split('\n')
      .flatMap((line): Template[] => {
        if (/^# [\w -]+$/.test(line)) heading = line.slice(2)
        if (line.trim() === '' || /^# [\w -]+$/.test(line)) return []
        return [folder === '' ? toKnownTemplate(name, heading, line) : toEffectTemplate(name, heading, line)]
      })
  })
}

/** A heading that is a language. */
const LANGUAGE = /^[a-z]{2}(-Latn)?$/

function toKnownTemplate(file: string, heading: string, line: string): Template {
  const language = LANGUAGE.test(heading) ? heading : 'en'
  return {
    line,
    attack: file.startsWith('attacks'),
    family: LANGUAGE.test(heading) ? '' : heading,
    isEffect: false,
    language,
    isAct: false,
  }
}

function toEffectTemplate(file: string, heading: string, line: string): Template {
  const sign = line[0] ?? ''
  const language = file.startsWith('en') ? 'en' : heading
  const family = LANGUAGE.test(heading) ? '' : heading
  return {
    line: line.slice(2),
    attack: '+*'.includes(sign),
    family,
    isEffect: true,
    language,
    isAct: '*='.includes(sign),
  }
}

/**
 * Forms in which a text is written down, and sentences that an act is put into, by heading. `§` stands for the text or
 * the act.
 */
type Forms = { registers: Map<string, string[]>; frames: Map<string, string[]> }

function readForms(file: string): Map<string, string[]> {
  const parts = readFileSync(join(FOLDER, file), 'utf8').split(/^# (?=[\w -]+$)/m)
  return new Map(parts.map((part) => part.trim().split('\n')).map(([heading = '', ...lines]) => [heading, lines]))
}

type Voice = (text: string) => string

/** Some texts as they stand, the others in a register; an act in a frame of its language first. */
function toVoice(
  { language, attack, isAct }: Template,
  { registers, frames }: Forms,
  slots: Slots,
  random: () => number,
): Voice {
  const forms = ['any', language].flatMap((heading) => registers.get(heading) ?? [])
  const sentences = isAct
    ? [language, `${language} ${attack ? 'attack' : 'benign'}`].flatMap((heading) => frames.get(heading) ?? [])
    : ['§']
  const put = (text: string, into: string[]) => grow(pick(into, random), slots, random).replace('§', () => text)
  return (text) => {
    const sentence = put(text, sentences)
    return random() < PLAIN_PART ? sentence : put(sentence, forms)
  }
}

/** A report that quotes the text. */
function toReport({ registers }: Forms, slots: Slots, random: () => number): Voice {
  return (text) => grow(pick(registers.get('report') ?? [], random), slots, random).replace('§', () => text)
}
