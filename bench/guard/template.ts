/** The slots of `corpus/slots.txt`: alternatives by name. */
export type Slots = Map<string, string[]>

/** Reads lines of the form `name = one | two`. */
export function readSlots(text: string): Slots {
  const lines = text.split('\n').filter((line) => line.includes(' = '))
  return new Map(
    lines.map((line) => [line.slice(0, line.indexOf(' = ')), line.slice(line.indexOf(' = ') + 3).split(' | ')]),
  )
}

/** One text of a template: `[a|b]` is a choice, `{name}` a slot, `\` escapes a sign. */
export function grow(template: string, slots: Slots, random: () => number): string {
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

export const pick = <T>(list: T[], random: () => number): T => list[Math.floor(random() * list.length)] as T
