import { actingAs } from '../../src/account/auth/caller.ts'
import type { Account, Project } from '../../src/store/account.ts'
import { inSession } from '../http/console/browse.ts'
import { connectTo } from '../http/oauth/flow.ts'
import { startService } from '../start-service.ts'

/**
 * A name that is known in a project B, and one of the same shape that nobody knows: every answer must be the same for
 * both. `secret` is in every text of that project: no answer to anybody else may hold it.
 */
export type Probe = { what: string; theirs: string; nobodys: string; secret: string }

/**
 * A service with what belongs to project B, and who asks for it: keys and people of project A of the same account, and
 * of another account.
 */
export async function startTwoAccounts() {
  const running = await startService()
  const { service, account, url, secret, owner, org } = running
  const other = await org.addAccount('others', 'self-hosted')
  const beside = await org.addProject('bravo')
  const theirs = await org.addProject('kilo', other)
  const outsider = await org.addMember('Out')
  const inner = await fillProject(running, account, beside)
  const outer = await fillProject(running, other, theirs)
  await running.call('remember', {
    content: 'the gate of A is green',
    source_id: 'a/source',
    source_hash: 'one',
    fact_key: 'a.gate',
  })
  return {
    ...running,
    /** Projects B: one of the same account, that the outsider may not open, and one of another account. */
    beside,
    theirs,
    other,
    /** Names that belong to either. */
    ofBeside: inner,
    ofTheirs: outer,
    /** A member who may open project A alone. */
    outsider,
    ofOutsider: running.as(await org.keyOf(outsider)),
    ofOwner: running.as(secret),
    asOutsider: () => inSession(service, url, outsider),
    asOwner: () => inSession(service, url, owner),
  }
}

/** The word in every text of the project of this name. */
export const toSecret = (name: string) => `zyx${name}`

type Running = Awaited<ReturnType<typeof startService>>

/** One of everything, with the secret word in each text. Answers with the names by which it might be asked for. */
async function fillProject({ service, org, url, as }: Running, account: Account, project: Project): Promise<Probe[]> {
  const tag = project.name
  const secretWord = toSecret(tag)
  const department = await org.addDepartment(`${secretWord} department ${tag}`, account)
  const member = await org.addMember(`${secretWord} member`, { account, email: `${tag}-mail@example.org`, department })
  const { secret, key } = await org.issueKey({ project, label: `${secretWord} key`, member })
  await org.connect(
    { slug: `hub-${tag}`, name: `${secretWord} hub`, url: 'http://127.0.0.1:9/mcp' },
    { account, project },
  )
  await connectTo(url).connect(secret)
  const ids = await fillRecords(as(secret).call, tag)
  const [connection = ''] = (await service.store.control.listConnections({ projectId: project.id })).map(
    ({ connection }) => connection.id,
  )
  const caller = actingAs(account, project, member)
  const named = {
    project: project.id,
    member: member.id,
    key: key.id,
    department: department.id,
    connection,
    author: caller.authorId,
  }
  const byId = Object.entries({ ...ids, ...named }).map(([what, id]) => ({
    what: `${what} of ${tag}`,
    theirs: id,
    nobodys: toNobodys(id),
  }))
  const words = ['space', 'source', 'fact', 'hash', 'word', '-mail@example.org'].map((end) => tag + end)
  const byName = [...words, `hub-${tag}`, `hub-${tag}.read`].map((name) => ({
    what: name,
    theirs: name,
    nobodys: name.replaceAll(tag, [...tag].reverse().join('')),
  }))
  return [...byId, ...byName].map((one) => ({ ...one, secret: secretWord }))
}

/** Records of each kind. Answers with their ids. */
async function fillRecords(call: Running['call'], tag: string): Promise<Record<string, string>> {
  const save = async (content: string, more: Record<string, string> = {}) => {
    const { structured } = await call('remember', { content: `${toSecret(tag)} ${tag}word ${content}`, ...more })
    return (structured as { result: { id: string } }).result.id
  }
  const source = { source_id: `${tag}source`, source_hash: `${tag}hash` }
  const shared = await save('the vault is blue', source)
  const older = await save('the vault opens at nine', { ...source, fact_key: `${tag}fact` })
  const newer = await save('the vault opens at ten', { ...source, fact_key: `${tag}fact` })
  const draft = await save('a plan for the vault', { scope: 'draft' })
  const departments = await save('the vault of the department', { scope: 'department' })
  const elsewhere = await save('the other vault', { workspace: `${tag}space`, ...source })
  const forgotten = await save('the old vault')
  await call('forget', { id: forgotten })
  return { shared, older, newer, draft, departments, elsewhere, forgotten }
}

/**
 * The same id with the decimal digits of its last group exchanged: well-formed, and of nothing. The letters stay,
 * because a search finds those that are words (`a`, `be`) in records of the caller too.
 */
function toNobodys(id: string): string {
  return id.slice(0, -12) + id.slice(-12).replaceAll(/\d/g, (digit) => '5678901234'.charAt(Number(digit)))
}

/**
 * An answer without what differs from one to the next: the name that was asked for, the words of it that a hint
 * repeats, and new ids.
 */
export function withoutNames(answer: string, name: string): string {
  const forms = [name, encodeURIComponent(name), JSON.stringify(name).slice(1, -1)]
  const plain = forms.reduce((text, form) => text.replaceAll(form, '‹name›'), answer)
  const counted = plain
    .replaceAll(/"words(?:_not_found)?":\[([^\]]*)\]/g, (_, words: string) => `${words.split(',').length} words`)
    .replaceAll(/No record holds: (.*)/g, (_, words: string) => `${words.split(',').length} words`)
  return counted.replaceAll(/[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}/g, '‹id›')
}
