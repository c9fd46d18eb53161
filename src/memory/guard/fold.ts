const plain: Record<string, string> = {
  ı: 'i',
  ł: 'l',
  đ: 'd',
  ø: 'o',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  '’': "'",
  '‘': "'",
  ʼ: "'",
  '“': '"',
  '”': '"',
  '„': '"',
}

/** Lower case, compatibility forms and accents taken away, so that text and lexicon meet in one spelling. Linear in the length. */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]|[\u0483-\u0489]|[\u0591-\u05c7]|[\u064b-\u0652]|\u0670|\u0640|[\u20d0-\u20ff]/g, '')
    .replace(/[ıłđøßæœ’‘ʼ“”„]/g, (letter) => plain[letter] ?? letter)
    .normalize('NFC')
}

export function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false
  return true
}
