// What many teams on one PostgreSQL database would take, and which part of it is used up first: calculated from measured
// costs. `bun bench/scale-model.ts` prints what was measured, what is assumed, the table of docs/scaling.md, and what
// would help. To renew it, put what bench/postgres/costs.ts prints into MEASURED, and the table into the page.

type Constant = { value: number; unit: string; what: string }

/**
 * By `bun bench/postgres/costs.ts`, median of three runs: PostgreSQL 15, its clients on the same two cores of an AMD
 * EPYC, others busy too. A record and a search are of the large projects there, all else of the small ones.
 */
const MEASURED = {
  recordBytes: { value: 1_450, unit: 'bytes', what: 'a record of 30 words with its index, vacuumed' },
  windowMs: { value: 0.41, unit: 'ms', what: 'database, each call: a place in two windows' },
  batchMs: { value: 0.08, unit: 'ms', what: 'the same, where 16 calls share a statement' },
  searchMs: { value: 2.6, unit: 'ms', what: 'database, besides: a search in a project of 10 000 records' },
  saveMs: { value: 1.2, unit: 'ms', what: 'database, besides: a save' },
  windowLogBytes: { value: 1_200, unit: 'bytes', what: 'log of the database, each call: the windows' },
  batchLogBytes: { value: 940, unit: 'bytes', what: 'the same, where 16 calls share a statement' },
  saveLogBytes: { value: 200_000, unit: 'bytes', what: 'log: a save, the first of its project after a checkpoint' },
  compressedLogBytes: { value: 85_000, unit: 'bytes', what: 'the same with `wal_compression = on`' },
  serviceSearchMs: { value: 2.7, unit: 'ms', what: 'instance: a search' },
  serviceSaveMs: { value: 1.1, unit: 'ms', what: 'instance: a save, with guard and credentials' },
} satisfies Record<string, Constant>

const ASSUMED = {
  recordsPerTeam: { value: 100_000, unit: '', what: 'records of a team, in projects of 10 000' },
  peoplePerTeam: { value: 10, unit: '', what: 'people of a team' },
  callsPerDay: { value: 200, unit: '', what: 'calls of a person in a day of 8 hours' },
  peak: { value: 3, unit: '', what: 'times the mean of these hours, at the peak' },
  saveShare: { value: 0.2, unit: '', what: 'of the calls are saves; the others are searches' },
  instanceUse: { value: 0.5, unit: '', what: 'of its one core is what an instance may use at the peak' },
  instanceConnections: { value: 15, unit: '', what: 'connections of an instance: `SVC_DATABASE_POOL` and five' },
  cores: { value: 16, unit: '', what: 'cores for calls at the peak, half of those of a server' },
  logMBs: { value: 200, unit: 'MB/s', what: 'log that disk, standby and archive keep up with' },
  diskTB: { value: 4, unit: 'TB', what: 'data, of which a base backup takes four hours' },
  connections: { value: 500, unit: '', what: 'connections of the database, `max_connections`' },
  frozenAfter: { value: 200e6, unit: '', what: 'transactions until all is vacuumed, `autovacuum_freeze_max_age`' },
} satisfies Record<string, Constant>

const TEAMS = [100, 1_000, 10_000]
const SECONDS_A_DAY = 8 * 3_600
const CELLS = 10

const measured = (name: keyof typeof MEASURED) => MEASURED[name].value
const assumed = (name: keyof typeof ASSUMED) => ASSUMED[name].value

type Load = ReturnType<typeof toLoad>

/** What so many teams take at the peak. */
function toLoad(teams: number) {
  const records = teams * assumed('recordsPerTeam')
  const callsOfDay = teams * assumed('peoplePerTeam') * assumed('callsPerDay')
  const calls = (callsOfDay * assumed('peak')) / SECONDS_A_DAY
  const saves = calls * assumed('saveShare')
  const searches = calls - saves
  const busy = (searches * measured('serviceSearchMs') + saves * measured('serviceSaveMs')) / 1_000
  const instances = Math.ceil(busy / assumed('instanceUse'))
  return {
    records,
    calls,
    diskTB: (records * measured('recordBytes')) / 1e12,
    windowCores: (calls * measured('windowMs')) / 1_000,
    searchCores: (searches * measured('searchMs')) / 1_000,
    saveCores: (saves * measured('saveMs')) / 1_000,
    logMBs: (calls * measured('windowLogBytes') + saves * measured('saveLogBytes')) / 1e6,
    instances,
    connections: instances * assumed('instanceConnections'),
    // A place in the windows is a transaction, and so is a save.
    daysToFreeze: assumed('frozenAfter') / (callsOfDay * (1 + assumed('saveShare'))),
  }
}

const coresOf = ({ windowCores, searchCores, saveCores }: Load) => windowCores + searchCores + saveCores

/** Which part is used up first, and how far. */
function findBound(load: Load): string {
  const parts = {
    cores: coresOf(load) / assumed('cores'),
    log: load.logMBs / assumed('logMBs'),
    disk: load.diskTB / assumed('diskTB'),
    connections: load.connections / assumed('connections'),
  }
  const [[name, part] = ['', 0]] = Object.entries(parts).sort(([, a], [, b]) => b - a)
  return `${name}, ${Math.round(100 * part)} %`
}

const ROWS: [string, (load: Load) => string | number][] = [
  ['records', ({ records }) => records],
  ['disk, TB', ({ diskTB }) => diskTB],
  ['calls a second', ({ calls }) => calls],
  ['cores for windows', ({ windowCores }) => windowCores],
  ['cores for searches', ({ searchCores }) => searchCores],
  ['cores for saves', ({ saveCores }) => saveCores],
  ['log, MB/s', ({ logMBs }) => logMBs],
  ['instances', ({ instances }) => instances],
  ['connections', ({ connections }) => connections],
  ['days until all is vacuumed', ({ daysToFreeze }) => daysToFreeze],
  ['used up first', findBound],
]

/** What of the largest load stays on one primary after a change. */
const REMEDIES: [string, (load: Load) => Load][] = [
  ['as it is', (load) => load],
  ['16 calls share a statement for their places', (load) => batched(load)],
  ['`wal_compression = on`', (load) => compressed(load)],
  ['searches on replicas', (load) => ({ ...load, searchCores: 0 })],
  ['all three', (load) => ({ ...batched(compressed(load)), searchCores: 0 })],
  [`${CELLS} cells, each`, () => toLoad(Math.max(...TEAMS) / CELLS)],
]

function batched(load: Load): Load {
  const sparedBytes = load.calls * (measured('windowLogBytes') - measured('batchLogBytes'))
  return { ...load, windowCores: (load.calls * measured('batchMs')) / 1_000, logMBs: load.logMBs - sparedBytes / 1e6 }
}

function compressed(load: Load): Load {
  const sparedBytes = load.calls * assumed('saveShare') * (measured('saveLogBytes') - measured('compressedLogBytes'))
  return { ...load, logMBs: load.logMBs - sparedBytes / 1e6 }
}

/** Numbers with spaces between thousands, and two digits that count where they are small. */
function toText(value: string | number): string {
  if (typeof value === 'string') return value
  if (value < 10) return String(Number(value.toPrecision(2)))
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ' ')
}

function toTable(head: string[], rows: (string | number)[][]): string {
  const lines = [head, ['---', ...head.slice(1).map(() => '---:')], ...rows.map((row) => row.map(toText))]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const listConstants = (constants: Record<string, Constant>) =>
  Object.values(constants).map(({ value, unit, what }) => [what, `${toText(value)} ${unit}`.trim()])

/** What was measured and what is assumed, loads by teams (the table of the page), and what would help the largest. */
export function toTables(): string[] {
  const loads = TEAMS.map(toLoad)
  const largest = toLoad(Math.max(...TEAMS))
  return [
    toTable(['measured', ''], listConstants(MEASURED)),
    toTable(['assumed', ''], listConstants(ASSUMED)),
    toTable(
      ['teams', ...TEAMS.map(toText)],
      ROWS.map(([name, of]) => [name, ...loads.map(of)]),
    ),
    toTable(
      [`of ${toText(Math.max(...TEAMS))} teams on one primary`, 'cores', 'log, MB/s', 'disk, TB'],
      REMEDIES.map(([name, change]) => [name, ...toFigures(change(largest))]),
    ),
  ]
}

const toFigures = (load: Load) => [coresOf(load), load.logMBs, load.diskTB]

if (import.meta.main) console.log(toTables().join('\n\n'))
