import type { Lexicon } from './concepts.ts'
import { chinese, japanese, korean } from './lexicon/cjk.ts'
import { effects } from './lexicon/effects.ts'
import { english } from './lexicon/english.ts'
import { further } from './lexicon/further.ts'
import { dutch, german } from './lexicon/germanic.ts'
import { portuguese, spanish } from './lexicon/iberian.ts'
import { bengali, hindi, persian } from './lexicon/indoiranian.ts'
import { reporting } from './lexicon/reporting.ts'
import { french, italian } from './lexicon/romance.ts'
import { arabic, hebrew } from './lexicon/semitic.ts'
import { polish, russian, ukrainian } from './lexicon/slavic.ts'
import { indonesian, thai, vietnamese } from './lexicon/southeast.ts'
import { turkish } from './lexicon/turkish.ts'

/** The lexicons of all languages, and that of reports about attacks in many of them. */
export const LEXICONS: Lexicon[] = [
  english,
  effects,
  spanish,
  portuguese,
  french,
  italian,
  german,
  dutch,
  russian,
  ukrainian,
  polish,
  turkish,
  arabic,
  hebrew,
  persian,
  hindi,
  bengali,
  chinese,
  japanese,
  korean,
  vietnamese,
  indonesian,
  thai,
  ...further,
  reporting,
]
