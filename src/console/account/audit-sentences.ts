import type { NamedEvent } from '../../account/audit/named-events.ts'

/**
 * What an event says after the name of who did it, by its act. `{target}` is the object, any other name in braces a
 * detail; `{records#record}` is a number of them, "3 records". What stands in brackets is left out without its detail,
 * and if that is who did it. Where a sentence without a target reads otherwise, it follows after a bar. Names, never
 * codes: those stand behind the sentence.
 */
export const SENTENCES: Record<string, string> = {
  'account.add': 'added the account {target}',
  'account.rename': 'renamed the account from {from} to {to}',
  'account.credentials': 'changed the rule for credentials from {from} to {to}',
  'account.marked': 'changed the rule for marked records from {from} to {to}',
  'account.limits': 'changed the limits of the account {target}: {changes}',
  'account.suspend': 'suspended the account {target}',
  'account.resume': 'resumed the account {target}',
  'account.remove': 'removed the account {target}',
  'account.restore': 'restored the account {target}',
  'account.purge': 'erased the account {target} for good',
  'subscription.set': 'changed the subscription of {target}: {changes}',
  'subscription.end': 'ended the subscription of {target}',
  'subscription.none': 'removed the subscription of {target}',
  'department.add': 'added the department {target}',
  'department.rename': 'renamed the department {from} to {to}',
  'department.remove': 'removed the department {target}',
  'project.add': 'added the project {target}',
  'project.rename': 'renamed the project {from} to {to}',
  'project.questions': 'changed unanswered questions of {target} from {from} to {to}',
  'project.remove': 'removed the project {target}',
  'project.restore': 'restored the project {target} from a backup',
  'project.open': 'opened the project to {target}',
  'project.close': 'closed the project to {target}',
  'project.export': 'downloaded {records#record} of {target}',
  'project.import': 'imported {saved#record} into {target}; {refused#line} refused',
  'project.mirror': 'forgot {forgotten#record} of {target}, whose notes are gone',
  'workspace.rename': 'renamed the workspace {target} to {new_name}|renamed a workspace',
  'workspace.merge': 'merged the workspace {target} into {into}|merged two workspaces',
  'workspace.remove':
    'removed the workspace {target}, with {forgotten#record}|removed a workspace, with {forgotten#record}',
  'member.add': 'added {target} as {role}',
  'member.invite': 'invited {email} as {role}',
  'member.uninvite': 'withdrew the invitation of {email}',
  'member.join': 'joined the account',
  'member.remove': 'removed {target}',
  'member.role': 'changed the role of {target} from {from} to {to}',
  'member.move': 'changed the department of {target} from {from} to {to}',
  'member.link': 'made a sign-in link for {target}',
  'member.password': 'chose a new password',
  'member.change': 'changed their name from {from} to {name}',
  'member.wish-address': 'asked to change their address from {from} to {email}',
  'member.withdraw-address': 'withdrew a request for another address',
  'member.decline-address': 'declined another address for {target}',
  'member.address': 'changed the address of {target} from {from} to {email}',
  'member.history-code': 'made a code to confirm the sign-in of {target}',
  'member.confirm': 'confirmed the sign-in of {target}',
  'session.begin': 'signed in',
  'session.end': 'ended a session',
  'sign-in.fail': 'tried an invalid {credential} of {target}|tried an invalid {credential}',
  'key.issue': 'issued the key {target}[ for {member}]',
  'key.rotate': 'replaced the key {target} with {to}',
  'key.revoke': 'revoked the key {target}',
  'connection.open': 'connected {target}',
  'connection.revoke': 'revoked the connection of {target}',
  'integration.add': 'added the integration {target}',
  'integration.change': 'changed the integration {target}: {changes}',
  'integration.enable': 'enabled the integration {target}',
  'integration.disable': 'disabled the integration {target}',
  'integration.remove': 'removed the integration {target}',
  'integration.accept': 'accepted {count#tool} of the integration {target}: {tools}',
  'integration.test': 'tested the integration {target}',
  'integration.call': 'called {tool} of the integration {target}',
  'record.write': 'wrote {target}',
  'record.verify': 'verified {target}|verified {records#record}',
  'record.unverify': 'withdrew the verification of {target}|withdrew the verification of {records#record}',
  'record.forget': 'forgot {target}|forgot [{records#record}][{forgotten#record}]',
  'record.restore': 'restored {target}|restored {records#record}',
  'record.move': 'moved {target}[ from {from}][ to {to}]|moved {records#record}[ from {from}][ to {to}]',
  'record.scope':
    'changed who sees {target}[ from {from}] to {scope}|changed who sees {records#record}[ from {from}] to {scope}',
  'record.return': 'put {target} back where it was|put {records#record} back where they were',
  'record.leave': 'left {target} forgotten',
  'record.unleave': 'took {target} back into review',
  'record.purge': 'erased {erased#forgotten record} for good',
  'record.reject': 'tried to save a record[: {why}]',
  'record.allow': 'released a text that the guard had refused',
  'question.dismiss': 'dismissed a question that no record answered',
  'question.restore': 'brought back a question that was dismissed',
  'guard.ask': 'asked for the release of a text that the guard had refused',
  'guard.decline': 'declined the release of a text',
  'guard.revoke': 'revoked the release of a text',
  'guard.withdraw': 'withdrew a request for the release of a text',
  'credential.reject': 'tried to save a text with a credential: {kind}',
  'credential.mask': 'saved a text in which a credential was masked: {kind}',
  'credential.scan': 'searched the records of {target} for credentials',
  'history.erase': 'erased {sources#uploaded session}, with {lines#line}',
  'history.forget': 'erased an uploaded session, with {lines#line}',
  'history.suggest': 'agreed to suggestions from their sessions',
  'history.suggest-end': 'ended suggestions from their sessions',
  'history.purge': 'erased {sources#uploaded session}, because of age',
  'audit.export': 'downloaded the audit log, with {events#event}',
  'backup.make': 'made the backup {target}',
  'backup.download': 'downloaded the backup {target}',
  'data.check': 'checked all files for damage and found {faults#fault}',
  'data.move': 'moved all data from {from} to {to}',
  'secret.rotate': 'encrypted {credentials#credential} of integrations again',
  'clock.jump': 'noticed that the clock jumped',
}

/**
 * A part of a sentence: text, or the name of the object or of a detail. With a noun, the detail is a number of these.
 */
type SentencePart = { text: string } | { name: string; noun?: string | undefined }

/** The parts of an act's sentence; the act itself for one that is not known. */
export function toSentenceParts({ act, who, target, details }: NamedEvent): SentencePart[] {
  const [usual = act, without = usual] = (SENTENCES[act] ?? `${act} {target}|${act}`).split('|')
  const sentence = (target === null ? without : usual).replaceAll(/\[(.*?)\]/g, (_, optional: string) =>
    toOptional(details[NAME.exec(optional)?.[1] ?? ''], who, optional),
  )
  const parts = sentence.split(new RegExp(NAME, 'g'))
  return parts.flatMap((part, at) => {
    if (at % 3 === 0) return { text: part }
    return at % 3 === 1 ? { name: part, noun: parts[at + 1] } : []
  })
}

function toOptional(detail: NamedEvent['details'][string] | undefined, who: string, text: string): string {
  return detail === undefined || detail === null || detail === who ? '' : text
}

const NAME = /\{(\w+)(?:#([\w ]+))?\}/

/** An act in words, for a list of choices. */
export const toActLabel = (act: string): string =>
  ((Object.hasOwn(SENTENCES, act) ? SENTENCES[act] : undefined) ?? act)
    .replace(/\|.*/, '')
    .replaceAll(/\[.*?\]/g, '')
    .replaceAll(/\{\w+(?:#([\w ]+))?\}/g, (_, noun: string | undefined) => (noun === undefined ? '…' : `… ${noun}s`))
