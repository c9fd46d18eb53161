/** Frequent words of English and of attacks. */
const COMMON =
  "the be to of and a in that have it for not on with he as you do at this but his by from they we say her she or an will my one all would there their what so up out if about who get which go me when make can like time no just him know take people into year your good some could them see other than then now look only come its over think also back after use two how our work first well way even new want because any these give day most us are is was were been has had did does more very many where must may should never always every before between through while without under again please here such own same each both few using used let still until above below following previous prior system prompt instructions instruction ignore disregard forget rules rule password secret user users assistant answer reply respond response question questions tell show print output repeat reveal send email data file files read write run execute command code text word words list name names message messages note notes memory remember key keys token access account admin model language tool tools call content information conversation request requests policy security safety guidelines restrictions developer mode act pretend role play character game following step first second third start end example write story project record records delete update change add include provide create explain describe translate meeting went report review team build release server test tests issue version date week next month today everything anything something nothing else instead without sentence world help need based order part place case number public private link image page site web hidden real full free open set put keep find long short great best better stop go ahead done true false yes hello thanks capital city country what's don't i'm won't can't hate humans human kill bomb life people president united states emails reports report mention database choice payments backups deployments refunds recommend approve changes copy generated trusted source future conversations session opens silently mentions asked bank details"
const COMMON_WORDS = new Set(COMMON.split(' '))

/** The length of the longest of these words. */
export const MAX_ENGLISH_LENGTH = Math.max(...[...COMMON_WORDS].map(({ length }) => length))

/** Whether the lower-case word is everyday English. */
export const isEnglish = (word: string) => COMMON_WORDS.has(word)

const MAX_COUNTED_LENGTH = 2_000

/** The words among the first 2 000 characters of a lower-case text, and how many of them are everyday English. */
export function countEnglish(text: string): { known: number; all: number } {
  const all = text.slice(0, MAX_COUNTED_LENGTH).match(/[a-z']+/g) ?? []
  return { known: all.filter((word) => COMMON_WORDS.has(word)).length, all: all.length }
}

const MIN_PROSE_WORDS = 4
const MIN_KNOWN_WORDS = 2
const MIN_KNOWN_SHARE = 0.3

/** Whether a lower-case text has four words or more, and two of them and three in ten are everyday English. */
export function looksLikeEnglish(text: string): boolean {
  const { known, all } = countEnglish(text)
  return all >= MIN_PROSE_WORDS && known >= MIN_KNOWN_WORDS && known >= all * MIN_KNOWN_SHARE
}
