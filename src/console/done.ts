/** What a page says after an act, by the word in its address. */
const DONE: Record<string, string> = {
  'session.ended': 'You are signed out.',
  'sessions.ended': 'Every session of yours has ended. Sign in again.',
  'profile.changed': 'Your name and address are changed.',
  'password.changed': 'Your password is changed, and your other sessions have ended.',
  'project.added': 'The project is there. Issue a key to connect an assistant.',
}

/** The sentence for an act; undefined for a word that is none. */
export function toDone(word: string | null): string | undefined {
  return word !== null && Object.hasOwn(DONE, word) ? DONE[word] : undefined
}
