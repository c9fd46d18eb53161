/** Irregular English verbs and nouns: the base form first, then the forms that are indexed as it. */
const IRREGULAR_FORMS = `be am is are was were been being|have has had having|do does did done|go goes went gone|say said|get got gotten|make made|know knew known
take took taken|see saw seen|come came|think thought|give gave given|find found|tell told|become became|leave left|feel felt|bring brought
begin began begun|keep kept|hold held|write wrote written|stand stood|hear heard|mean meant|meet met|run ran|pay paid|sit sat
speak spoke spoken|lead led|read|grow grew grown|lose lost|fall fell fallen|send sent|build built|understand understood|draw drew drawn
break broke broken|spend spent|rise rose risen|drive drove driven|buy bought|wear wore worn|choose chose chosen|eat ate eaten
sing sang sung|swim swam swum|ride rode ridden|fly flew flown|throw threw thrown|catch caught|teach taught|fight fought|win won
sleep slept|sell sold|seek sought|shoot shot|shake shook shaken|steal stole stolen|strike struck|swear swore sworn|sweep swept
tear tore torn|wake woke woken|weep wept|wind wound|bend bent|bind bound|bite bit bitten|bleed bled|blow blew blown|breed bred
burn burnt|deal dealt|dig dug|dream dreamt|drink drank drunk|feed fed|flee fled|forget forgot forgotten|forgive forgave forgiven
freeze froze frozen|hang hung|hide hid hidden|kneel knelt|lay laid|lie lain|learn learnt|lend lent|light lit|ring rang rung
shine shone|shrink shrank shrunk|sink sank sunk|slide slid|spell spelt|spin spun|spring sprang sprung|stick stuck|sting stung
swing swung|bear bore borne|cling clung|creep crept|grind ground|lean leant|leap leapt|overcome overcame|spoil spoilt|undergo underwent undergone
withdraw withdrew withdrawn|rebuild rebuilt|rewrite rewrote rewritten|override overrode overridden|man men|woman women|child children
foot feet|tooth teeth|goose geese|mouse mice|person people|life lives|wife wives|knife knives|leaf leaves|half halves|shelf shelves
wolf wolves|thief thieves|self selves|datum data|medium media|criterion criteria|phenomenon phenomena|bacterium bacteria|index indices indexes
matrix matrices|vertex vertices|analysis analyses|hypothesis hypotheses|crisis crises|basis bases|thesis theses|diagnosis diagnoses
axis axes|ox oxen|stimulus stimuli|nucleus nuclei|fungus fungi|alumnus alumni|focus foci|appendix appendices|good better best|bad worse worst
far further farther`

const BASE_BY_FORM = new Map<string, string>()
for (const entry of IRREGULAR_FORMS.split(/[|\n]/)) {
  const [base = '', ...forms] = entry.split(' ')
  for (const form of forms) BASE_BY_FORM.set(form, base)
}

/** The base form of an irregular English word; undefined for every other word. */
export function baseOf(word: string): string | undefined {
  return BASE_BY_FORM.get(word)
}
