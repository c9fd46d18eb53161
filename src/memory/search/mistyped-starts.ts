/** The letters of a script that a slip of the finger may have put for another; a script not listed has its own letters only. */
const ALPHABETS: [RegExp, string][] = [
  [/\p{Script=Latin}/u, 'abcdefghijklmnopqrstuvwxyz'],
  [/\p{Script=Cyrillic}/u, 'абвгдежзийклмнопрстуфхцчшщъыьэюяєіїґ'],
  [/\p{Script=Greek}/u, 'αβγδεζηθικλμνξοπρστυφχψω'],
  [/\p{Script=Hebrew}/u, 'אבגדהוזחטיכלמנסעפצקרשת'],
  [/\p{Script=Arabic}/u, 'ابتثجحخدذرزسشصضطظعغفقكلمنهويپچژگ'],
  [/\p{Script=Devanagari}/u, 'अआइईउऊएऐओऔकखगघचछजझटठडढणतथदधनपफबभमयरलवशषसह'],
]

/** What a word may be whose mistake is in its first `most` letters: one letter changed, added, left out, or swapped with the next. */
export function mistypedStarts(word: string, most: number): string[] {
  const alphabet = ALPHABETS.find(([script]) => script.test(word))?.[1] ?? ''
  const found = new Set<string>()
  for (let at = 0; at < most; at++) {
    const before = word.slice(0, at)
    const [here, after] = [word.slice(at), word.slice(at + 1)]
    found.add(before + after)
    found.add(before + after.slice(0, 1) + here.slice(0, 1) + after.slice(1))
    for (const letter of alphabet) {
      found.add(before + letter + after)
      found.add(before + letter + here)
    }
  }
  found.delete(word)
  return [...found]
}
