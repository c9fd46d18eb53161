import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { grow, pick, readSlots, type Slots } from './template.ts'

/** A text grown from a template of the project, given by its number. `family`: the effect that it has or that it is the harmless twin of; else its file. */
export type Grown = { text: string; attack: boolean; template: number; family: string; isEffect: boolean }

type Template = Omit<Grown, 'text' | 'template'> & { line: string; isEnglish: boolean }

const FOLDER = join(import.meta.dir, 'corpus')
/** The part of texts of an effect that stand alone, without a register. */
const PLAIN_PART = 0.4

/** Grows at most `most` texts from each template of known wordings, and `mostOfEffect` from each of an effect. */
export function growCorpus(random: () => number, most: number, mostOfEffect: number): Grown[] {
  const slots = readSlots(readFileSync(join(FOLDER, 'slots.txt'), 'utf8'))
  const registers = readRegisters()
  const known = readTemplates('').map((template) => ({ template, voice: (text: string) => text, count: most }))
  const effects = readTemplates('effects').flatMap((template) => [
    { template, voice: toVoice(template, registers, slots, random), count: mostOfEffect },
    ...(template.attack ? [{ template: { ...template, attack: false }, voice: toReport(registers, slots, random), count: 1 }] : []),
  ])
  return [...known, ...effects].flatMap(({ template: { line, attack, family, isEffect }, voice, count }, number) => {
    const texts = new Set(Array.from({ length: count }, () => voice(grow(line, slots, random))))
    return [...texts].map((text) => ({ text, attack, family, isEffect, template: number }))
  })
}

/** The templates of a folder of `corpus/`: one a line, below headings. In `effects/` a line begins with `+` for an attack and `-` for its twin. */
function readTemplates(folder: string): Template[] {
  const files = readdirSync(join(FOLDER, folder)).filter((name) => /^(?!slots|registers).*\.txt$/.test(name))
  return files.sort().flatMap((name) => {
    let heading = ''
    return readFileSync(join(FOLDER, folder, name), 'utf8')
      .split('\n')
      .flatMap((line): Template[] => {
        if (/^# [\w -]+$/.test(line)) heading = line.slice(2)
        if (line.trim() === '' || /^# [\w -]+$/.test(line)) return []
        if (folder === '') return [{ line, attack: name.startsWith('attacks'), family: name, isEffect: false, isEnglish: true }]
        return [{ line: line.slice(2), attack: line.startsWith('+'), family: heading, isEffect: true, isEnglish: name.startsWith('en') }]
      })
  })
}

/** Forms in which a text is written down, by heading. `§` stands for the text. */
type Registers = Map<string, string[]>

function readRegisters(): Registers {
  const registers: Registers = new Map()
  for (const part of readFileSync(join(FOLDER, 'registers.txt'), 'utf8').split(/^# (?=\w+$)/m)) {
    const [heading = '', ...lines] = part.trim().split('\n')
    registers.set(heading, lines)
  }
  return registers
}

type Voice = (text: string) => string

/** Some texts as they stand, the others in a register. */
function toVoice({ isEnglish }: Template, registers: Registers, slots: Slots, random: () => number): Voice {
  const forms = ['any', ...(isEnglish ? ['en'] : [])].flatMap((heading) => registers.get(heading) ?? [])
  return (text) => (random() < PLAIN_PART ? text : grow(pick(forms, random), slots, random).replace('§', () => text))
}

/** A report that quotes the text. */
function toReport(registers: Registers, slots: Slots, random: () => number): Voice {
  return (text) => grow(pick(registers.get('report') ?? [], random), slots, random).replace('§', () => text)
}
