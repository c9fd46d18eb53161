import type { Account } from '../../store/account.ts'
import type { KeyHolder } from '../../store/key.ts'

/** Tells an address, while the connection is there. */
export type ClientIp = () => string | undefined

/** What a key or an OAuth token resolves to. Every act takes a caller; none takes a project id from the wire. */
export type Caller = {
  accountId: string
  /** The account as it stood when the call was recognised. */
  account: Account
  projectId: string
  keyId: string
  /** The member who holds the key; undefined for a service key. */
  memberId: string | undefined
  /** Who a record saved by this caller belongs to: the member, or the service key itself. */
  authorId: string
  /** The member's department; undefined when there is none. */
  departmentId: string | undefined
  /** True for a connection by OAuth token. */
  hosted: boolean
  /** How tool names of integrations are listed. */
  toolNames: 'dotted' | 'underscored'
  /** Tells the address the call came from, where it is known; asked only when it is noted. */
  clientIp?: ClientIp | undefined
}

/** The caller behind a key, which may be reached by the key itself or by a hosted connection. */
export function toCaller({ key, project, account, member }: KeyHolder, hosted: boolean, clientIp?: ClientIp): Caller {
  return {
    accountId: account.id,
    account,
    projectId: project.id,
    keyId: key.id,
    memberId: member?.id,
    authorId: member?.id ?? key.id,
    departmentId: member?.departmentId ?? undefined,
    hosted,
    toolNames: key.toolNames,
    clientIp,
  }
}
