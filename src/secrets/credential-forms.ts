import { isWholeKey } from './key.ts'

/** A credential in a text: which kind it is, and where it stands, in UTF-16 units. */
export type Credential = { kind: string; start: number; end: number }

/**
 * A form that credentials are written in. The group `secret` of the pattern is what must not be known; `isReal` tells it from a placeholder. Patterns take
 * time linear in the text: each begins with a literal, and no two neighbouring parts of one match the same characters.
 */
export type CredentialForm = { kind: string; pattern: RegExp; isReal: (secret: string) => boolean }

export const FORMS: CredentialForm[] = [
  { kind: 'memsvc key', pattern: /(?<secret>svc_[0-9A-Za-z]{36})/dg, isReal: isWholeKey },
  { kind: 'memsvc token', pattern: /(?<secret>svo_[\w-]{43})/dg, isReal: isRandom },
  { kind: 'memsvc link', pattern: /\/console\/(?:enter|join)\/(?<secret>[\w-]{43})/dg, isReal: isRandom },
  {
    kind: 'private key',
    // After the first line come headers or digits; without them the line is only spoken of.
    pattern:
      /-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?<secret>(?:[\s"',]|\\[nrt]){0,16}(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash):|[A-Za-z0-9+/=]{16})[\s\S]*?)(?=-----END|$)/dg,
    isReal: () => true,
  },
  {
    kind: 'authorization header',
    pattern:
      /authorization["'\s]{0,3}[:=]["'\s]{0,4}(?:(?:bearer|token|apikey|key|negotiate|digest)\s{1,4})?(?<secret>[\w.~+/=-]{16,4096})/dgi,
    isReal: isRandom,
  },
  {
    kind: 'authorization header',
    pattern: /authorization["'\s]{0,3}[:=]["'\s]{0,4}basic\s{1,4}(?<secret>[A-Za-z0-9+/=_-]{6,4096})/dgi,
    isReal: isUserAndPassword,
  },
  { kind: 'url with a password', pattern: /:\/\/(?<secret>[^\s:@/?#]{0,256}:[^\s@/?#]{1,256})@[\w[]/dg, isReal: hasRealPassword },
  { kind: 'npm', pattern: /_authToken\s?=\s?["']?(?<secret>[^\s"'$<{]{8,512})/dg, isReal: isRandom },
]

/** The credentials of these forms in a text. At most 5 ms for 64 KiB. */
export function findFormed(text: string): Credential[] {
  return FORMS.flatMap((form) => [...eachOfForm(form, text)].flatMap((one) => one ?? []))
}

/** What has a form, one after the other: undefined for what is only a placeholder. */
export function* eachOfForm({ kind, pattern, isReal }: CredentialForm, text: string): Generator<Credential | undefined, void> {
  for (const { groups, indices } of text.matchAll(pattern)) {
    const [start, end] = indices?.groups?.secret ?? [0, 0]
    yield isReal(groups?.secret ?? '') ? { kind, start, end } : undefined
  }
}

/** Whether a text looks drawn at random rather than named by a person: digits among letters, or letters of both cases mixed. */
export function isRandom(text: string): boolean {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  return (count(/[0-9]/g) >= 3 && count(/[A-Za-z]/g) >= 3) || count(/[a-z][A-Z]/g) >= 4
}

/** Whether a text is the base64 of a user, a colon and a password. */
export function isUserAndPassword(text: string): boolean {
  return /^[\x20-\x7e]*:[\x20-\x7e]+$/.test(Buffer.from(text, 'base64').toString('latin1'))
}

/** What documentation writes in place of a password. */
const PLACEHOLDER = /^(?:(?:my|your|the|some|db)?[_-]?(?:password|passwd|pass|pwd|pw|secret|token)|changeme|example|redacted|hidden)$/i
/** `$PASSWORD`, `${password}`, `<password>`, `%PASSWORD%`, `prefix-{{password}}`; dots, asterisks, or one character repeated. */
const VARIABLE = /^\$\w+$|^[<%([{][\s\S]*[>%)\]}]$|\$[{(]|\{\{|\.\.\.|…|^(.)\1*$/

/** `userinfo` is a user, a colon and a password. A password that equals the user is that of a fresh installation. */
function hasRealPassword(userinfo: string): boolean {
  const at = userinfo.indexOf(':')
  const [user, password] = [userinfo.slice(0, at), userinfo.slice(at + 1)]
  return password !== user && !isPlaceholder(password)
}

/** Whether a text stands where documentation or a program has a password to come: `changeme`, `$PASSWORD`, `<password>`. */
export function isPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(text) || VARIABLE.test(text)
}
