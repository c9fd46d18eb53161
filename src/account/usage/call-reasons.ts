type CallReason = { why: string; mend: string }

const AGAIN_LATER = 'Call again later. If it goes on, an owner or admin looks after the server.'

/** Why a call was refused or failed, by the stored code, and what to do about it. Says nothing about what was asked. */
export const CALL_REASONS: Record<string, CallReason> = {
  arguments: {
    why: 'an argument was missing or wrong',
    mend: 'The assistant was told which, and usually calls again. If it goes on, reconnect it, so that it reads the present tools.',
  },
  other: {
    why: 'a value was not accepted',
    mend: 'The assistant was told which: one that is empty, too long, in the past, or does not go with another.',
  },
  not_found: {
    why: 'there was no such record, source, workspace or integration',
    mend: 'It may be forgotten, removed or renamed, or the holder of the key may not see it. A search shows what is there.',
  },
  unknown_tool: {
    why: 'the key has no tool of that name',
    mend: 'Reconnect the assistant, so that it reads the present tools. A tool of an integration must be on, and the integration enabled for the project.',
  },
  rate_limit: {
    why: 'the key made too many calls in 60 seconds',
    mend: 'It can call again after a minute. Give each assistant a key of its own; a larger plan allows more.',
  },
  project_rate_limit: {
    why: 'the keys of the project made too many calls in 60 seconds',
    mend: 'They can call again after a minute. A larger plan allows more.',
  },
  traffic: {
    why: 'the key sent more than the service takes in a minute',
    mend: 'It can call again after a minute. Look for an assistant that repeats itself.',
  },
  concurrency: {
    why: 'too many calls of the key waited at once',
    mend: 'Let the assistant make fewer calls side by side, or give it a key of its own.',
  },
  memory_limit: {
    why: 'the project has reached a limit of its plan',
    mend: 'Forget what nobody needs, or choose a larger plan.',
  },
  guard: {
    why: 'the Security Guard refused the text',
    mend: 'The page Guard says why. Its author can ask for its release there.',
  },
  credential: {
    why: 'the text had a credential in it',
    mend: 'Save it without the credential. Under Plan and rules, owners and admins choose what becomes of credentials.',
  },
  subscription: {
    why: 'the subscription did not allow it',
    mend: 'Plan and rules says what the subscription allows, and until when.',
  },
  unauthorized: { why: 'the key ended while the call waited', mend: 'Issue a new key, if its holder still needs one.' },
  cancelled: {
    why: 'the assistant cancelled the call',
    mend: 'Nothing to do, unless it had waited for long: then look for what was slow.',
  },
  storage: {
    why: 'the service could not use its storage',
    mend: 'Call again later. The operator finds the cause in the log, or with memsvc doctor.',
  },
  internal: {
    why: 'the service has a fault',
    mend: 'Tell the operator when it was: the log has the error.',
  },
  'integration.error': {
    why: 'the tool of the integration reported an error',
    mend: 'The assistant was told which, in the words of the server.',
  },
  'integration.no_tool': {
    why: 'the integration has no tool of that name',
    mend: 'The page of the integration lists its tools, and which are on; an owner or admin can test it there.',
  },
  'integration.read_only': {
    why: 'the tool may write, and the integration is read-only',
    mend: 'Keep it so, or let an owner or admin change the mode on the page of the integration.',
  },
  'integration.withheld': {
    why: 'the tool was changed by its server, and nobody has accepted that',
    mend: 'An owner or admin reads the change on the page of the integration, and accepts it there.',
  },
  'integration.many': { why: 'the integration had too many calls at once', mend: AGAIN_LATER },
  'integration.busy': { why: 'integrations sent too many large answers at once', mend: AGAIN_LATER },
  'integration.unreachable': { why: 'the server of the integration could not be reached', mend: AGAIN_LATER },
  'integration.broken': { why: 'the connection to the server of the integration broke', mend: AGAIN_LATER },
  'integration.status': { why: 'the server of the integration answered with an HTTP error', mend: AGAIN_LATER },
  'integration.protocol': { why: 'the server of the integration answered with an error', mend: AGAIN_LATER },
  'integration.timeout': {
    why: 'the server of the integration did not answer in time',
    mend: 'An owner or admin can test it on its page, and change its timeout there.',
  },
  'integration.size': {
    why: 'the answer of the integration was too large',
    mend: 'Let the assistant ask it for less at a time.',
  },
  'integration.redirect': {
    why: 'the server of the integration redirected the call',
    mend: 'An owner or admin enters the new address on the page of the integration.',
  },
  'integration.certificate': {
    why: 'the certificate of the integration’s server is not valid',
    mend: 'Whoever runs that server has to renew it.',
  },
  'integration.address': {
    why: 'the address of the integration may not be called',
    mend: 'The operator can allow it with SVC_OUTBOUND_ALLOW.',
  },
  'integration.credentials': {
    why: 'the server of the integration did not accept its credential',
    mend: 'An owner or admin enters a new one on the page of the integration.',
  },
  'integration.secret': {
    why: 'the credential of the integration could not be read',
    mend: 'An owner or admin enters it again on the page of the integration; the file secret.key may be lost.',
  },
  'integration.cancelled': {
    why: 'the assistant cancelled the call of the integration',
    mend: 'Nothing to do, unless it had waited for long.',
  },
  'integration.internal': {
    why: 'the service has a fault in its calls of integrations',
    mend: 'Tell the operator when it was: the log has the error.',
  },
}

const UNKNOWN: CallReason = {
  why: 'for a reason that is not known',
  mend: 'Look into the log of the service at that time.',
}

/** Why a call was refused or failed, in words. */
export const explainReason = (reason: string): CallReason => CALL_REASONS[reason] ?? UNKNOWN
