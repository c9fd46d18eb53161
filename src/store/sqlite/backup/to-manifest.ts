import type { Manifest } from '../../backup.ts'
import { Connection } from '../connection.ts'
import { migrations } from '../migrations.ts'
import type { Packing } from './pack.ts'

/** `control` is the path of the copied control file. */
export function toManifest({ request, files, incomplete }: Packing, control: string): Manifest {
  const { key, version, now, projectId } = request
  const isWhole = projectId === undefined
  return {
    format: 'memsvc-backup-1',
    memsvc: version,
    made_at: new Date(now).toISOString(),
    of: isWhole ? 'everything' : 'project',
    schemas: Object.fromEntries(Object.entries(migrations).map(([kind, steps]) => [kind, steps.at(-1)?.name ?? ''])),
    secret_key: isWhole ? key.secret_key : 'none',
    ...readControl(
      control,
      projectId,
      files.reduce((sum, { records = 0 }) => sum + records, 0),
    ),
    files,
    incomplete,
  }
}

type Counts = Omit<Manifest['counts'], 'records'>

const COUNTS = `select (select count(*) from accounts) as accounts, (select count(*) from members where removed_at is null) as members,
  (select count(*) from projects where removed_at is null) as projects, (select count(*) from keys where revoked_at is null) as keys`

const PROJECTS = `select projects.id, accounts.name as account, projects.name from projects join accounts on accounts.id = account_id
  where projects.removed_at is null and (?1 is null or projects.id = ?1) order by projects.id`

function readControl(
  control: string,
  projectId: string | undefined,
  records: number,
): Pick<Manifest, 'sqlite' | 'counts' | 'projects'> {
  const connection = new Connection(control)
  try {
    const { sqlite } = connection.query<{ sqlite: string }, []>('select sqlite_version() as sqlite').get() ?? {
      sqlite: '',
    }
    const counts = connection.query<Counts, []>(COUNTS).get() ?? { accounts: 0, members: 0, projects: 0, keys: 0 }
    const projects = connection.query<Manifest['projects'][number], [string | null]>(PROJECTS).all(projectId ?? null)
    return { sqlite, counts: { ...counts, records }, projects }
  } finally {
    connection.close()
  }
}
