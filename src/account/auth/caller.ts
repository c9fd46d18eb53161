import type { Account, Author, KeyHolder, Member, Project } from '../../store/account.ts'
import type { ControlReads } from '../../store/control.ts'

/** Returns the client's IP address. A function, because Bun looks the address up and few requests need it. */
export type ClientIp = () => string | undefined

/** The holder of a key or an OAuth token, which determines the project: no request names one. */
export type Caller = {
  accountId: string
  /** The account as it stood when the caller was authenticated. */
  account: Account
  projectId: string
  keyId: string
  /** The member who holds the key; undefined for a service key. */
  memberId: string | undefined
  /** The author id of records saved by this caller: the member, or the service key itself. */
  authorId: string
  /** Whether the key reads session histories, and not only uploads them. */
  readsHistories: boolean
  /** The member's department; undefined when there is none. */
  departmentId: string | undefined
  /** True for a connection by OAuth token. */
  hosted: boolean
  /** How tool names of integrations are listed. */
  toolNames: 'dotted' | 'underscored'
  /** Whether the project keeps questions that no record answers. */
  keepsQuestions: boolean
  /** Undefined if there is no connection, as at the command line. */
  clientIp?: ClientIp | undefined
}

/** The author id of records that the operator saves on nobody's behalf. */
export const OPERATOR = 'operator'

/** The name by which a member is shown who was removed. */
export const FORMER_MEMBER = 'former member'

/** The caller of a key. `hosted`: an OAuth token led to the key. */
export function toCaller({ key, project, account, member }: KeyHolder, hosted: boolean, clientIp?: ClientIp): Caller {
  return {
    accountId: account.id,
    account,
    projectId: project.id,
    keyId: key.id,
    memberId: member?.id,
    authorId: member?.id ?? key.id,
    readsHistories: key.readsHistories,
    departmentId: member?.departmentId ?? undefined,
    hosted,
    toolNames: key.toolNames,
    keepsQuestions: project.keepsQuestions,
    clientIp,
  }
}

/** A caller without a key, for the console and the command line: a member, or the operator. */
export function actingAs(account: Account, project: Project, member: Member | undefined): Caller {
  const authorId = member?.id ?? OPERATOR
  return {
    accountId: account.id,
    account,
    projectId: project.id,
    keyId: authorId,
    memberId: member?.id,
    authorId,
    readsHistories: false,
    departmentId: member?.departmentId ?? undefined,
    hosted: false,
    toolNames: 'dotted',
    keepsQuestions: project.keepsQuestions,
  }
}

/**
 * Names of authors as readers see them, by id: names of members, labels of service keys, `operator`, and `former
 * member` for a removed one. One read.
 */
export async function authorNames(
  { store }: { store: { control: Pick<ControlReads, 'findAuthors'> } },
  ids: Set<string>,
): Promise<Map<string, string>> {
  const found = new Map((await store.control.findAuthors([...ids])).map((author) => [author.id, author]))
  return new Map([...ids].map((id) => [id, id === OPERATOR ? OPERATOR : toAuthorName(found.get(id))]))
}

function toAuthorName(author: Author | undefined): string {
  return author === undefined || author.removedAt !== null ? FORMER_MEMBER : author.name
}
