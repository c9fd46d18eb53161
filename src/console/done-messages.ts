import { countOf, toCount } from './markup/format.ts'

const DONE_MESSAGES = {
  'session.ended': 'You are signed out.',
  'session.closed': 'That session has ended.',
  'sessions.ended': 'All your sessions have ended. Sign in again.',
  'backup.begun': 'The backup has started.',
  'profile.changed': 'Your name is changed.',
  'address.wished': 'Saved. The new address takes effect once an owner or admin confirms it.',
  'address.withdrawn': 'You keep the current address.',
  'address.confirmed': 'The address is confirmed: it is the one to sign in with from now on.',
  'address.declined': 'The new address is declined; the current one stays.',
  'password.changed': 'Your password is changed, and your other sessions have ended.',
  'key.revoked': 'The key is revoked.',
  'connection.revoked': 'The connection is revoked. To use its assistant again, connect it again.',
  'project.renamed': 'The project has a new name.',
  'project.removed': 'The project is removed for good.',
  'workspace.renamed': 'The workspace has a new name.',
  'workspace.merged': 'The workspaces are merged.',
  'workspace.removed': 'The workspace is removed, and its records are forgotten.',
  'integration.added': 'The integration is added. Test it, then enable it for a project.',
  'integration.works': 'It works and is added. Below is what was found; enable it for a project to use it.',
  'integration.switched': 'The tools are switched from the next call on.',
  'integration.enabled': 'The integration is enabled for the project.',
  'integration.disabled': 'The integration is disabled for the project.',
  'integration.accepted': 'The tools are offered from the next call on.',
  'integration.changed': 'The settings are changed.',
  'integration.removed': 'The integration is removed, and its credential is erased.',
  'member.changed': 'Role and department are saved.',
  'member.removed':
    'The member is removed. Their keys and sessions no longer work, and their session histories are erased.',
  'invitation.withdrawn': 'The invitation is withdrawn; its link no longer works.',
  'department.added': 'The department is added.',
  'department.renamed': 'The department has a new name.',
  'department.removed': 'The department is removed.',
  'account.limits': 'The limits apply from the next call on.',
  'account.suspended': 'The account is suspended: its keys, connections and people are refused.',
  'account.resumed': 'The account works again.',
  'account.removed': 'The account is removed: its keys, connections and people are refused.',
  'account.restored': 'The account is back.',
  'subscription.saved': 'The subscription is saved.',
  'subscription.ended': 'The subscription has ended. Memory is read-only for 14 days.',
  'subscription.dropped': 'The account no longer has a subscription.',
  'account.renamed': 'The account has a new name.',
  'account.credentials': 'The rule for credentials applies from the next save on.',
  'account.marked': 'The rule for marked records applies from the next save on.',
  'project.opened': 'The project is open to them.',
  'project.closed': 'The project is closed to them. Keys they hold stay.',
  'project.added': 'The project is added.',
  'history.confirmed': 'Your sign-in is confirmed: your sessions are shown from now on.',
  'history.erased': 'It is erased for good.',
  'history.remembered': 'The record is saved: search finds it from now on.',
  'suggestions.on': 'Records are suggested under Review, from sessions that rest for an hour.',
  'suggestions.off': 'No records are suggested any more, and the suggestions that waited are erased.',
  'suggestion.dismissed': 'The suggestion is dismissed. Neither it nor one like it returns.',
  'suggestion.restored': 'The suggestion is back.',
  'suggestion.taken-back': 'The record is forgotten, and the suggestion is back.',
  'questions.kept': 'Unanswered questions are kept from the next search on.',
  'questions.erased': 'Unanswered questions are no longer kept, and all are erased.',
  'question.linked': 'The question is linked: search finds the record by it from now on.',
  'question.restored': 'The question is back.',
  'question.dismissed': 'The question is dismissed, and does not return for 30 days.',
  'record.written': 'The record is saved: search finds it from now on.',
  'record.known': 'This record was saved before.',
  'record.contested':
    'The record is saved, but not verified: another one of its fact key says something else. Choose between them.',
  'record.edited': 'The correction is saved, and supersedes what was there.',
  'record.amended': 'The text stays; phrases and expiry are saved: search finds the record by its phrases from now on.',
  'record.proposed':
    'The correction is saved beside the verified record, which holds until somebody chooses between the two.',
  'record.verified': 'The record is verified.',
  'record.chosen': 'The record is verified, and supersedes the others of its fact key.',
  'record.unverified': 'The record is no longer verified.',
  'record.forgotten': 'The record is forgotten. It can be restored from the trash.',
  'record.replaced':
    'The record is forgotten, and what it had superseded is current again. It can be restored from the trash.',
  'record.forgetting-accepted': 'The record stays forgotten.',
  'record.returned': 'The record waits for a review again.',
  'record.restored': 'The record is back.',
  'record.outdated': 'The record is back, superseded by a newer one of its fact key.',
  'content.allowed': 'The text is released: it can be saved now.',
  'release.asked': 'You asked for its release. An owner or admin of your account decides.',
  'release.withdrawn': 'Your request is withdrawn, and the text is erased.',
  'release.declined': 'The release is declined, and the text is erased.',
  'release.revoked': 'The release is revoked: the text is refused again.',
} satisfies Record<string, string>

/** Messages about many records, with their number. */
const COUNTED_MESSAGES = {
  'records.verified': (records) => `${records} verified.`,
  'records.forgotten': (records) => `${records} forgotten. What was forgotten can be restored from the trash.`,
  'records.restored': (records) => `${records} restored.`,
  'records.moved': (records) => `${records} moved.`,
  'records.scoped': (records) => `${records} changed.`,
  'records.unverified': (records) => `${records} no longer verified.`,
  'records.returned': (records) => `${records} put back.`,
} satisfies Record<string, (records: string) => string>

/** Parameters of a page's address that its message is made of. */
export const MESSAGE_PARAMETERS = ['done', 'undo', 'n', 'contested', 'foreign', 'other', 'more']

/** The name of a message, which an action puts into the URL that it redirects to. */
export type Done = keyof typeof DONE_MESSAGES | keyof typeof COUNTED_MESSAGES

/**
 * The message of a page after an action, from `done` and the counts in its URL; undefined for none and unknown values.
 */
export function toDoneMessage(query: URLSearchParams): string | undefined {
  const done = query.get('done') ?? ''
  if (isKeyOf(DONE_MESSAGES, done)) return DONE_MESSAGES[done]
  if (!isKeyOf(COUNTED_MESSAGES, done)) return undefined
  return [COUNTED_MESSAGES[done](countOf(readCount(query, 'n'), 'record')), ...toLeftOut(query)].join(' ')
}

function toLeftOut(query: URLSearchParams): string[] {
  const [contested, foreign, other, more] = [
    readCount(query, 'contested'),
    readCount(query, 'foreign'),
    readCount(query, 'other'),
    readCount(query, 'more'),
  ]
  return [
    contested > 0
      ? `Left out, because they contradict another record: ${toCount(contested)}. Choose under Review.`
      : '',
    foreign > 0 ? `Left as they are, because they are somebody else’s: ${toCount(foreign)}.` : '',
    other > 0 ? `Not changed, mostly because they were so already or were changed meanwhile: ${toCount(other)}.` : '',
    more > 0 ? 'There are more: do it again for the rest.' : '',
  ].filter((sentence) => sentence !== '')
}

function readCount(query: URLSearchParams, name: string): number {
  const text = query.get(name) ?? ''
  return /^\d{1,6}$/.test(text) ? Number(text) : 0
}

function isKeyOf<Messages extends object>(messages: Messages, name: string): name is Extract<keyof Messages, string> {
  return Object.hasOwn(messages, name)
}
