/**
 * What an event says after the name of who did it, by its act. `{target}` is the object, any other name in braces a
 * detail. Where a sentence without a target reads otherwise, it follows after a bar. Names, never codes: those stand
 * behind the sentence.
 */
const SENTENCES: Record<string, string> = {
  'account.add': 'made the account {target}',
  'account.rename': 'renamed the account from {from} to {to}',
  'account.credentials': 'changed what becomes of credentials in records from {from} to {to}',
  'account.marked': 'changed what becomes of marked records from {from} to {to}',
  'account.limits': 'changed the limits of the account {target}',
  'account.suspend': 'suspended the account {target}',
  'account.resume': 'resumed the account {target}',
  'account.remove': 'removed the account {target}',
  'account.restore': 'restored the account {target}',
  'account.purge': 'erased the account {target} for good',
  'subscription.set': 'set the plan of {target} to {plan}',
  'subscription.end': 'ended the subscription of {target}',
  'subscription.none': 'removed the subscription of {target}',
  'department.add': 'added the department {target}',
  'department.rename': 'renamed the department {from} to {to}',
  'department.remove': 'removed the department {target}',
  'project.add': 'added the project {target}',
  'project.rename': 'renamed the project {from} to {to}',
  'project.remove': 'removed the project {target}',
  'project.restore': 'restored the project {target} from a backup',
  'project.open': 'opened the project to {target}',
  'project.close': 'closed the project to {target}',
  'project.export': 'downloaded records: {records}',
  'project.import': 'imported records: {saved} saved, {refused} refused',
  'project.mirror': 'forgot records whose notes are gone: {forgotten}',
  'workspace.rename': 'renamed the workspace {target} to {new_name}|renamed a workspace',
  'workspace.merge': 'merged the workspace {target} into {into}|merged two workspaces',
  'workspace.remove':
    'removed the workspace {target}, with records: {forgotten}|removed a workspace, with records: {forgotten}',
  'member.add': 'added {target} as {role}',
  'member.invite': 'invited {email} as {role}',
  'member.uninvite': 'took back the invitation of {email}',
  'member.join': 'joined as {target}',
  'member.remove': 'removed {target}',
  'member.role': 'changed the role of {target} from {from} to {to}',
  'member.move': 'changed the department of {target} from {from} to {to}',
  'member.link': 'made a sign-in link for {target}',
  'member.password': 'set a new password for {target}',
  'member.change': 'changed a name from {from} to {name}',
  'member.wish-address': 'asked to change an address from {from} to {email}',
  'member.withdraw-address': 'took back the wish for another address',
  'member.decline-address': 'declined another address for {target}',
  'member.address': 'changed the address of {target} from {from} to {email}',
  'member.history-code': 'made a code to confirm the sign-in of {target}',
  'member.confirm': 'confirmed the sign-in of {target}',
  'session.begin': 'signed in',
  'session.end': 'ended a session',
  'sign-in.fail': 'was refused: the {credential} of {target} was wrong|was refused: the {credential} was wrong',
  'key.issue': 'issued the key {target}',
  'key.rotate': 'replaced the key {target} with {to}',
  'key.revoke': 'revoked the key {target}',
  'connection.open': 'connected {target}',
  'connection.revoke': 'revoked the connection of {target}',
  'integration.add': 'connected the integration {target}',
  'integration.change': 'changed the integration {target}',
  'integration.credentials': 'changed the credential of the integration {target}',
  'integration.enable': 'enabled the integration {target}',
  'integration.disable': 'disabled the integration {target}',
  'integration.remove': 'removed the integration {target}',
  'integration.accept': 'accepted tools of the integration {target}: {tools}',
  'integration.test': 'tested the integration {target}',
  'integration.call': 'called {tool} of the integration {target}',
  'record.write': 'wrote {target}',
  'record.verify': 'verified {target}|verified records: {records}',
  'record.unverify': 'took back the verification of {target}|took back the verification of records: {records}',
  'record.forget': 'forgot {target}|forgot records: {records}{forgotten}',
  'record.restore': 'restored {target}|restored records: {records}',
  'record.move': 'moved {target} to another workspace|moved records to another workspace: {records}',
  'record.scope': 'changed who sees {target}|changed who sees records to {scope}: {records}',
  'record.return': 'put records back where they were: {records}',
  'record.leave': 'left {target} forgotten',
  'record.unleave': 'took {target} back into the review',
  'record.purge': 'erased forgotten records for good: {erased}',
  'record.reject': 'was refused a record, because {why}|was refused a record',
  'record.allow': 'released a text that the guard had refused',
  'guard.ask': 'asked for the release of a text that the guard had refused',
  'guard.decline': 'declined the release of a text',
  'guard.revoke': 'revoked the release of a text',
  'guard.withdraw': 'took back the wish for the release of a text',
  'credential.reject': 'was refused a text with a credential: {kind}',
  'credential.mask': 'saved a text in which a credential was masked: {kind}',
  'credential.scan': 'searched the records of {target} for credentials',
  'history.erase': 'erased session histories, with lines: {lines}',
  'history.forget': 'erased a session history and its position, with lines: {lines}',
  'history.purge': 'erased session histories that were too old: {sources}',
  'audit.export': 'downloaded the audit log, with events: {events}',
  'backup.make': 'made the backup {target}',
  'backup.download': 'downloaded the backup {target}',
  'data.check': 'looked through all files for damage: {faults} faults',
  'data.move': 'moved all data from {from} to {to}',
  'secret.rotate': 'encrypted the credentials of integrations anew: {credentials}',
  'clock.jump': 'saw the clock jump',
}

/** A part of a sentence: text, or the name of the object or of a detail. */
export type SentencePart = { text: string } | { name: string }

/** The parts of an act's sentence; the act itself for one that is not known. */
export function toSentenceParts(act: string, hasTarget: boolean): SentencePart[] {
  const [usual = act, without = usual] = (SENTENCES[act] ?? `${act} {target}|${act}`).split('|')
  const parts = (hasTarget ? usual : without).split(/\{(\w+)\}/)
  return parts.map((part, at) => (at % 2 === 0 ? { text: part } : { name: part }))
}

/** An act in words, for a list of choices. */
export const toActLabel = (act: string): string =>
  (SENTENCES[act] ?? act).replace(/\|.*/, '').replaceAll(/\{\w+\}/g, '…')
