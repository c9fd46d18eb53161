import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A text grown from a template of the project, given by its number. */
export type Grown = { text: string; attack: boolean; template: number; language: string }

type Slots = Map<string, string[]>

/** Grows at most `most` texts from each template in `corpus/`. */
export function growCorpus(random: () => number, most: number): Grown[] {
  const folder = join(import.meta.dir, 'corpus')
  const slots = readSlots(readFileSync(join(folder, 'slots.txt'), 'utf8'))
  let template = 0
  return readdirSync(folder)
    .filter((name) => name !== 'slots.txt')
    .sort()
    .flatMap((name) => {
      const attack = name.startsWith('attacks')
      const world = name.includes('world')
      let language = 'en'
      return readFileSync(join(folder, name), 'utf8')
        .split('\n')
        .flatMap((line) => {
          if (line.startsWith('# ')) language = world ? line.slice(2) : 'en'
          if (line.trim() === '' || /^# \S+$/.test(line)) return []
          template++
          const texts = new Set(Array.from({ length: most }, () => grow(line, slots, random)))
          return [...texts].map((text) => ({ text, attack, template, language }))
        })
    })
}

function readSlots(text: string): Slots {
  const lines = text.split('\n').filter((line) => line.includes(' = '))
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(' = ')), line.slice(line.indexOf(' = ') + 3).split(' | ')]))
}

/** One text of a template: `[a|b]` is a choice, `{name}` a slot, `\` escapes a sign. */
function grow(template: string, slots: Slots, random: () => number): string {
  const [text] = choose(template, 0, slots, random)
  return text
    .replace(/[ \t]+/g, ' ')
    .replace(/ ([.,;:!?])(?=\s|$)/g, '$1')
    .trim()
}

function choose(template: string, from: number, slots: Slots, random: () => number): [string, number] {
  const options: string[] = ['']
  let at = from
  const put = (text: string) => {
    options[options.length - 1] += text
  }
  while (at < template.length && template[at] !== ']') {
    const sign = template[at]
    if (sign === '\\') {
      put(template[at + 1] === 'n' ? '\n' : (template[at + 1] ?? ''))
      at += 2
    } else if (sign === '[') {
      const [inner, end] = choose(template, at + 1, slots, random)
      put(inner)
      at = end + 1
    } else if (sign === '{') {
      const end = template.indexOf('}', at)
      put(fill(template.slice(at + 1, end), slots, random))
      at = end + 1
    } else {
      if (sign === '|' && from > 0) options.push('')
      else put(sign ?? '')
      at++
    }
  }
  return [pick(options, random), at]
}

function fill(name: string, slots: Slots, random: () => number): string {
  const options = slots.get(name)
  if (options === undefined) throw new Error(`no slot {${name}}`)
  return grow(pick(options, random), slots, random)
}

const pick = <T>(list: T[], random: () => number): T => list[Math.floor(random() * list.length)] as T
