import Bowser from 'bowser'

/** Longer ones are cut: what names browser and system stands before. */
const MAX_USER_AGENT_CHARACTERS = 512
/** Names are the browser's choice. */
const MAX_NAME_CHARACTERS = 60

/** The browser and the system that a request names, such as `Firefox on Windows`, for people to recognise their sessions by; null if it names neither. */
export function toDevice({ headers }: Request): string | null {
  const text = headers.get('user-agent')?.slice(0, MAX_USER_AGENT_CHARACTERS)
  if (!text) return null
  const { browser, os } = Bowser.parse(text)
  const names = [browser.name, os.name]
    .filter((name) => name !== undefined && name !== '')
    .map((name) => String(name).slice(0, MAX_NAME_CHARACTERS))
  return names.length === 0 ? null : names.join(' on ')
}
