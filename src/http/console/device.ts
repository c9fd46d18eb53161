import Bowser from 'bowser'

/** Longer ones are truncated: browser and system come first. */
const MAX_USER_AGENT_CHARACTERS = 512
/** Names come from the client, so they are bounded. */
const MAX_NAME_CHARACTERS = 60

/** The browser and the system of a request, such as `Firefox on Windows`, by which people recognise their sessions; null if unknown. */
export function toDevice({ headers }: Request): string | null {
  const text = headers.get('user-agent')?.slice(0, MAX_USER_AGENT_CHARACTERS)
  if (!text) return null
  const { browser, os } = Bowser.parse(text)
  const names = [browser.name, os.name]
    .filter((name) => name !== undefined && name !== '')
    .map((name) => String(name).slice(0, MAX_NAME_CHARACTERS))
  return names.length === 0 ? null : names.join(' on ')
}
