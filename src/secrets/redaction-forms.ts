import { type CredentialForm, isPlaceholder, isRandom, isUserAndPassword } from './credential-forms.ts'

/**
 * Forms of credentials that are taken out of session histories, beside those of `credential-forms.ts`. They know less for certain: a text that is masked for
 * nothing costs a word, where a record that is refused for nothing costs its author's patience. Patterns take time linear in the text, as there.
 */
export const REDACTION_FORMS: CredentialForm[] = [
  // Also one that is cut off, or whose checksum was mistyped.
  { kind: 'memsvc key', pattern: /(?<secret>svc_[0-9A-Za-z]{16,64})/dg, isReal: (secret) => /[A-Z0-9]/.test(secret) },
  {
    kind: 'aws',
    pattern: /(?<![A-Za-z0-9])(?<secret>(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16})(?![A-Za-z0-9])/dg,
    isReal: () => true,
  },
  { kind: 'jwt', pattern: /(?<![\w-])(?<secret>eyJ[\w-]{8,8192}\.[\w-]{8,65536}(?:\.[\w-]{0,8192}){1,3})/dg, isReal: () => true },
  {
    kind: 'private key',
    // Whatever stands between the first line and the last: numbers of lines, marks of a diff, quotes.
    pattern: /-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?<secret>(?:(?!-----BEGIN)[\s\S]){16,16384}?)(?=-----END)/dg,
    isReal: (secret) => /[A-Za-z0-9+/]{16}/.test(secret),
  },
  { kind: 'bearer', pattern: /bearer["'\s:=\\]{1,4}(?<secret>[\w.~+/=-]{16,8192})/dgi, isReal: isRandom },
  { kind: 'basic', pattern: /basic["'\s:=\\]{1,4}(?<secret>[A-Za-z0-9+/=_-]{8,4096})/dgi, isReal: isUserAndPassword },
  {
    kind: 'named secret',
    // A line of an environment file, of YAML, or a member of JSON: the name in capitals.
    pattern:
      /(?:_|\b)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?)(?:=|["'\\]{1,4}\s{0,2}:\s{0,2}(?=["'\\])|:\s{1,4})["'\\]{0,4}(?<secret>[^\s"'`\\;|<>,]{6,8192})/dg,
    isReal: (secret) => !isPlaceholder(secret) && !isReference(secret),
  },
  {
    kind: 'named secret',
    // The same in other letters is as often of a program as of its settings, so that its value must look drawn at random.
    pattern:
      /(?:[_-](?:key|token|secret)|\b(?:api-?key|apikey|token|secret)|Key|Token|Secret)["'\\]{0,4}\s{0,4}[:=]\s{0,4}["'\\]{0,4}(?<secret>[^\s"'`\\;|<>,(){}[\]]{12,8192})/dg,
    isReal: (secret) => isRandom(secret) && !isReference(secret),
  },
  {
    kind: 'named secret',
    pattern:
      /(?:password|passwd|passphrase|Password|Passphrase)["'\\]{0,4}\s{0,4}[:=]\s{0,4}["'\\]{0,4}(?<secret>[^\s"'`\\;|<>,(){}[\]]{6,8192})/dg,
    isReal: (secret) => /[^A-Za-z._]/.test(secret) && !isPlaceholder(secret) && !isReference(secret),
  },
]

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const EXPRESSION = /^(?:process\.|os\.|env\.|import\.|self\.|this\.|config\.|settings\.|secrets\.)|^[A-Za-z_.]{1,128}[([]/
const PATH = /^(?:~|\.{1,2})\/|^\/(?:home|usr|etc|var|tmp|opt|root|Users|mnt|run|srv|app|workspace)\//

/** Whether a value says where a secret is, rather than being one. Ids are none either. */
function isReference(text: string): boolean {
  return UUID.test(text) || EXPRESSION.test(text) || PATH.test(text)
}
