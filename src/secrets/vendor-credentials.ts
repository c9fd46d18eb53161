import { yieldIfDue } from '../cooperative.ts'
import type { Credential } from './credential-forms.ts'

/** UTF-16 units of a text that are searched at a time: at most 6 ms, measured on the worst texts that the patterns of the preset allow. */
export const WINDOW_LENGTH = 4_096
/** What two windows share, so that no token is cut. The longest known have 1 300 units. */
const OVERLAP_LENGTH = 1_536

/** What every rule's id begins with. */
const RULE = '@secretlint/secretlint-rule-'

/** Every token of the preset has 20 such characters in a row, or is a URL. Most texts have neither, and are passed in microseconds. */
const MAY_HOLD_TOKEN = /[\w+/=.-]{20}|:\/\//

/**
 * The tokens of known vendors in a text, as the recommended preset of secretlint knows them; some may be listed twice. Yields to the event loop between
 * windows: the time that one takes grows with the square of its length in the worst texts, and larger ones cost less for each character of usual texts.
 */
export async function findVendorTokens(text: string, windowLength = WINDOW_LENGTH): Promise<Credential[]> {
  if (!MAY_HOLD_TOKEN.test(text)) return []
  const found: Credential[] = []
  for (let at = 0; at === 0 || at + OVERLAP_LENGTH < text.length; at += windowLength - OVERLAP_LENGTH) {
    await yieldIfDue()
    const tokens = await lintWindow(text.slice(at, at + windowLength))
    found.push(...tokens.map(({ kind, start, end }) => ({ kind, start: at + start, end: at + end })))
  }
  return found
}

let linter: ReturnType<typeof openLinter> | undefined

/** Loaded at the first text that may hold a token, since it takes 20 ms and some megabytes: in pieces, as all long work. */
async function openLinter() {
  const { lintSource } = await import('@secretlint/core')
  await yieldIfDue()
  const preset = await import('@secretlint/secretlint-rule-preset-recommend')
  await yieldIfDue()
  const { secretLintProfiler } = await import('@secretlint/profiler')
  // It keeps an entry of every text for ever.
  secretLintProfiler.setEnabled(false)
  // A text must not switch off how it is searched. The preset ignores that a rule of it is disabled.
  const searching = preset.rules.filter(({ meta }) => meta.id !== `${RULE}filter-comments`)
  // Only one rule has options: key ids of AWS count, account ids do not.
  const rules = searching.map((rule) => ({
    id: rule.meta.id,
    rule,
    options: { enableIDScanRule: true },
    allowMessageIds: ['AWSAccountID'],
  }))
  const options = { noPhysicFilePath: true, config: { rules } }
  return async (content: string) => {
    const source = { content, filePath: 'content.txt', ext: '.txt', contentType: 'text' as const }
    return (await lintSource({ source, options })).messages
  }
}

type Message = Awaited<ReturnType<Awaited<ReturnType<typeof openLinter>>>>[number]

async function lintWindow(window: string): Promise<Credential[]> {
  linter ??= openLinter()
  const lint = await linter
  // A byte order mark would be left out, and every place be one less.
  const messages = await lint(window.replace('\ufeff', ' '))
  return messages.flatMap((message) => toCredentials(window, message))
}

/** Some rules report the place of a name and its secret behind it, so a reported value is looked for from that place on. */
function toCredentials(window: string, { ruleId, range: [start, end], ...message }: Message): Credential[] {
  const kind = ruleId.replace(RULE, '').replaceAll('-', ' ')
  const data = 'data' in message ? Object.values(message.data ?? {}) : []
  const values = data.filter((value): value is string => typeof value === 'string' && !/\s/.test(value))
  const places = values.map((value) => ({ start: window.indexOf(value, start), length: value.length })).filter((place) => place.start >= 0)
  return [{ kind, start, end }, ...places.map((place) => ({ kind, start: place.start, end: place.start + place.length }))]
}
