/** What a page says after an act, by the word in its address. */
const DONE: Record<string, string> = {
  'session.ended': 'You are signed out.',
  'sessions.ended': 'Every session of yours has ended. Sign in again.',
  'profile.changed': 'Your name is changed.',
  'address.wished': 'Saved. The address you asked for is yours once an owner or admin of your account confirms it.',
  'address.withdrawn': 'You keep the present address.',
  'address.confirmed': 'They sign in with the new address from now on.',
  'address.declined': 'They keep the present address.',
  'password.changed': 'Your password is changed, and your other sessions have ended.',
  'key.revoked': 'The key is revoked.',
  'connection.revoked': 'The connection has ended. Its assistant must be connected again.',
  'project.renamed': 'The project has a new name.',
  'project.removed': 'The project is removed for good.',
  'workspace.removed': 'The workspace is removed, and its records are forgotten.',
  'integration.added': 'The integration is there. Test it, then enable it for a project.',
  'integration.enabled': 'The integration is enabled for the project.',
  'integration.disabled': 'The integration is disabled for the project.',
  'integration.credentials': 'The credential is replaced.',
  'integration.removed': 'The integration is removed, and its credential is forgotten.',
  'member.changed': 'The change is made.',
  'member.removed': 'They are removed: their keys and sessions are dead.',
  'invitation.withdrawn': 'The invitation is withdrawn; its link is worthless.',
  'department.added': 'The department is there.',
  'department.renamed': 'The department has a new name.',
  'department.removed': 'The department is removed.',
  'account.renamed': 'The account has a new name.',
  'project.opened': 'The project is open to them.',
  'project.closed': 'The project is closed to them. Keys they hold stay.',
  'project.added': 'The project is there. Issue a key to connect an assistant.',
  'record.verified': 'The record is verified.',
  'record.chosen': 'The record is verified, and what else its fact key said is superseded by it.',
  'record.unverified': 'The record is not verified any more.',
  'record.forgotten': 'The record is forgotten. It can be restored from the trash.',
  'record.restored': 'The record is back.',
  'record.outdated': 'The record is back, superseded by a newer one of its fact key.',
  'content.allowed': 'The content may pass. Saved again, it is remembered.',
}

/** The sentence for an act; undefined for a word that is none. */
export function toDone(word: string | null): string | undefined {
  return word !== null && Object.hasOwn(DONE, word) ? DONE[word] : undefined
}
