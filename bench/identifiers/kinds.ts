/**
 * A kind of identifier: a family of near-identical identifiers, how they are named otherwise, and two that do not
 * exist: one like them, one unlike them.
 */
export type Kind = {
  ids: string[]
  near: string
  far: string
  part?: (id: string) => string
  respell?: (id: string) => string[]
}
type Random = () => number

const HEX = '0123456789abcdef'
const DIGITS = '0123456789'
const make = (random: Random, alphabet: string, length: number) =>
  Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join('')
export const pick = (random: Random, list: string[]) => list[Math.floor(random() * list.length)] ?? ''
/** Some distinct words of a list, in a random order. */
const some = (random: Random, count: number, list: string[]) =>
  list
    .map((word) => ({ word, key: random() }))
    .sort((a, b) => a.key - b.key)
    .slice(0, count)
    .map(({ word }) => word)
const between = (random: Random, from: number, to: number) => from + Math.floor(random() * (to - from))
const NOUNS = 'invoice header user token session retry pool order cache event queue tenant schema price ledger'.split(
  ' ',
)
const VERBS = 'parse load sync merge flush render verify export'.split(' ')
const NAMES = 'jana marek olga tariq wei pedro lena yuki'.split(' ')
const SURNAMES = 'novak petrov garcia meyer tanaka haddad'.split(' ')
const upper = (word: string) => word.toUpperCase()
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
const camel = (words: string[]) => words.map((word, at) => (at === 0 ? word : capital(word))).join('')

const uuid = (random: Random) =>
  [8, 4, 4, 4, 12]
    .map((length, at) =>
      at === 2
        ? `4${make(random, HEX, 3)}`
        : at === 3
          ? pick(random, ['8', '9', 'a', 'b']) + make(random, HEX, 3)
          : make(random, HEX, length),
    )
    .join('-')

export const KINDS: Record<string, (random: Random) => Kind> = {
  uuid: (random) => {
    const one = uuid(random)
    const like = () => one.slice(0, 24) + make(random, HEX, 12)
    return {
      ids: [one, like(), uuid(random)],
      near: like(),
      far: uuid(random),
      part: (id) => id.slice(24),
      respell: (id) => [upper(id), id.replaceAll('-', '')],
    }
  },
  hash: (random) => {
    const ids = [make(random, HEX, 40), make(random, HEX, 40)]
    return {
      ids,
      near: `${ids[0]?.slice(0, 6)}${make(random, HEX, 34)}`,
      far: make(random, HEX, 40),
      part: (id) => id.slice(0, 7),
      respell: (id) => [upper(id)],
    }
  },
  'short hash': (random) => {
    const one = make(random, HEX, 6)
    return {
      ids: [`${one}3`, make(random, HEX, 7)],
      near: `${one}e`,
      far: make(random, HEX, 7),
      respell: (id) => [upper(id)],
    }
  },
  ticket: (random) => {
    const [a, b] = [pick(random, ['PAY', 'OPS', 'INFRA']), pick(random, ['WEB', 'DATA', 'CORE'])]
    const n = between(random, 100, 9000)
    return {
      ids: [`${a}-${n}`, `${a}-${n + 1}`, `${b}-${n}`],
      near: `${a}-${n + 2}`,
      far: `QRX-${between(random, 9100, 9999)}`,
      respell: (id) => [id.toLowerCase(), id.replace('-', ' ')],
    }
  },
  issue: (random) => {
    const n = between(random, 100, 9000)
    return {
      ids: [`#${n}`, `#${n + 1}`],
      near: `#${n + 2}`,
      far: `#${between(random, 9100, 9999)}`,
      respell: (id) => [`issue ${id.slice(1)}`],
    }
  },
  email: (random) => {
    const [name, surname] = [pick(random, NAMES), pick(random, SURNAMES)]
    const host = `${pick(random, ['acme', 'globex', 'initech'])}.example`
    const ids = [`${name}.${surname}@${host}`, `${name}@${host}`, `${name}.${surname}@partner.example`]
    return {
      ids,
      near: `${name}.ivanov@${host}`,
      far: 'zoltan.kiss@hooli.test',
      part: (id) => id.slice(id.indexOf('@') + 1),
      respell: (id) => [upper(id)],
    }
  },
  url: (random) => {
    const [a, b, c] = some(random, 3, NOUNS)
    const n = between(random, 10, 90)
    const base = `https://wiki.acme.example/${a}`
    return {
      ids: [`${base}/${b}-${n}`, `${base}/${b}-${n + 1}`, `${base}/${c}?page=${n}`],
      near: `${base}/${b}-${n + 2}`,
      far: `https://docs.hooli.test/zebra/${between(random, 100, 999)}`,
      part: (id) => id.split('/').slice(3).join('/'),
    }
  },
  path: (random) => {
    const [a = '', b = '', c = '', d = ''] = some(random, 4, NOUNS)
    return {
      ids: [`src/${a}/${b}-${c}.ts`, `src/${a}/${b}-${d}.ts`, `test/${a}/${b}-${c}.test.ts`],
      near: `src/${b}/${a}-${d}.ts`,
      far: `lib/zebra/${between(random, 10, 99)}.cpp`,
      part: (id) => id.split('/').at(-1) ?? '',
      respell: (id) => [id.replaceAll('/', '\\')],
    }
  },
  'Windows path': (random) => {
    const [a, b] = some(random, 2, NOUNS)
    return {
      ids: [`D:\\builds\\${a}\\setup-x64.log`, `D:\\builds\\${a}\\setup-x86.log`, `D:\\builds\\${b}\\setup-x64.log`],
      near: `D:\\builds\\${a}\\setup-arm.log`,
      far: 'E:\\zebra\\kiwi.ini',
      respell: (id) => [id.replaceAll('\\', '/')],
    }
  },
  version: (random) => {
    const [a, b, c] = [between(random, 1, 9), between(random, 1, 30), between(random, 1, 30)]
    return {
      ids: [`v${a}.${b}.${c}`, `v${a}.${b}.${c + 1}`, `${a}.${b + 1}.${c}-rc.1`],
      near: `v${a}.${b}.${c + 2}`,
      far: `v47.${between(random, 40, 60)}.3`,
      respell: (id) => [id.startsWith('v') ? id.slice(1) : `v${id}`],
    }
  },
  address: (random) => {
    const [a, b, c] = [between(random, 16, 30), between(random, 1, 250), between(random, 1, 250)]
    return {
      ids: [`172.${a}.${b}.${c}:8443`, `172.${a}.${b}.${c + 1}:8443`, `172.${a}.${c}.${b}`],
      near: `172.${a}.${b}.${c + 2}:8443`,
      far: `203.0.113.${between(random, 1, 200)}:9100`,
      part: (id) => id.split(':')[0] ?? '',
    }
  },
  phone: (random) => {
    const n = make(random, DIGITS, 6)
    return {
      ids: [`+49 30 ${n} 17`, `+49 30 ${n} 18`, `+49 40 ${make(random, DIGITS, 6)} 17`],
      near: `+49 30 ${n} 19`,
      far: `+81 6 ${make(random, DIGITS, 4)} 5519`,
      part: (id) => id.split(' ')[2] ?? '',
      respell: (id) => [id.replaceAll(' ', '-')],
    }
  },
  date: (random) => {
    const [y, m, d] = [between(random, 2020, 2026), between(random, 10, 13), between(random, 10, 26)]
    return {
      ids: [`${y}-${m}-${d}`, `${y}-${m}-${d + 1}`, `${y - 1}-${m}-${d}`],
      near: `${y}-${m}-${d + 2}`,
      far: `1987-0${between(random, 1, 9)}-31`,
      respell: (id) => [id.split('-').reverse().join('.'), id.replaceAll('-', '/')],
    }
  },
  amount: (random) => {
    const [a, b] = [between(random, 1, 9), make(random, DIGITS, 3)]
    return {
      ids: [`${a},${b}.00 €`, `${a},${b}.50 €`, `1${a},${b}.00 €`],
      near: `${a},${b}.75 €`,
      far: `88,${make(random, DIGITS, 3)}.19 €`,
      respell: (id) => [id.replace(',', ''), `€${id.slice(0, -2)}`],
    }
  },
  camelCase: (random) => {
    const [v = '', w = ''] = some(random, 2, VERBS)
    const [a = '', b = '', c = ''] = some(random, 3, NOUNS)
    return {
      ids: [camel([v, a, b]), camel([v, a, c]), camel([w, a, b])],
      near: camel([w, a, c]),
      far: camel(['zap', 'zebra', b]),
      respell: (id) => [id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), id.toLowerCase()],
    }
  },
  snake_case: (random) => {
    const [a = '', b = '', c = '', d = ''] = some(random, 4, NOUNS)
    return {
      ids: [`max_${a}_${b}`, `max_${a}_${c}`, `min_${a}_${b}`],
      near: `max_${a}_${d}`,
      far: `zebra_${a}_kiwi`,
      respell: (id) => [camel(id.split('_')), id.replaceAll('_', '-')],
    }
  },
  variable: (random) => {
    const [a = '', b = '', c = '', d = ''] = some(random, 4, NOUNS).map(upper)
    return {
      ids: [`${a}_DB_${b}_SIZE`, `${a}_DB_${c}_SIZE`, `${a}_DB_${b}_TIMEOUT`],
      near: `${a}_DB_${d}_TIMEOUT`,
      far: `ZEBRA_${a}_KIWI`,
      part: (id) => id.split('_').slice(0, 3).join('_'),
      respell: (id) => [id.toLowerCase(), camel(id.toLowerCase().split('_'))],
    }
  },
  flag: (random) => {
    const [a, b, c, d] = some(random, 4, NOUNS)
    return {
      ids: [`tool run --no-${a}`, `tool run --no-${a}-${b}`, `tool run --${c} 5`],
      near: `tool run --no-${d}`,
      far: 'kiwi --zebra',
      part: (id) => /--[a-z-]+/.exec(id)?.[0] ?? '',
    }
  },
  'error code': (random) => {
    const [n, hex] = [make(random, DIGITS, 4), make(random, DIGITS, 3)]
    return {
      ids: [`E1${n}`, `ORA-0${n}`, `0x80070${hex}`, `TS${n}`, `CVE-2024-${n}`],
      near: `ORA-0${make(random, DIGITS, 4)}`,
      far: `SQLSTATE[9${make(random, DIGITS, 4)}]`,
      respell: (id) => [id.toLowerCase()],
    }
  },
  function: (random) => {
    const [v = '', w = ''] = some(random, 2, VERBS)
    const [a = '', b = ''] = some(random, 2, NOUNS)
    return {
      ids: [`${a}::${capital(b)}::${v}()`, `${a}::${capital(b)}::${w}()`, `${b}::${capital(a)}::${v}()`],
      near: `${b}::${capital(a)}::${w}()`,
      far: `zebra::Kiwi::${v}()`,
      part: (id) => id.split('::').slice(1).join('::'),
      respell: (id) => [id.replaceAll('::', '.')],
    }
  },
  pod: (random) => {
    const [a, b] = some(random, 2, NOUNS)
    const tail = () =>
      `${make(random, 'bcdfghjklmnpqrstvwxz2456789', 9)}-${make(random, 'bcdfghjklmnpqrstvwxz2456789', 5)}`
    return {
      ids: [`${a}-api-${tail()}`, `${a}-api-${tail()}`, `${b}-api-${tail()}`],
      near: `${a}-api-${tail()}`,
      far: `kiwi-${tail()}`,
      part: (id) => id.split('-').slice(2).join('-'),
    }
  },
}
