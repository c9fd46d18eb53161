// Whether what was acknowledged is kept, at length: a ledger of what assistants were told is compared with what is
// there after the service was killed, after the power of its disk was cut (ext4 and XFS in turn, where root, loop
// devices and their tools are there), and after an even load. First the same is tried with a service that acknowledges
// too early, which must be caught. Status 1 where anything was lost, is there twice or is damaged, or the control was
// not caught. Usage: bun bench/durability.ts [--kills 200] [--cuts 30] [--soak MINUTES, 30] [--service PATH] [--json]
// (PATH: an executable; without it the source is run)
import { cpSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { canMakeDisk, type Disk, type FileSystem, makeDisk } from '../test/durability/disk.ts'
import { createLedger, type Ledger, NOTHING_WRONG } from '../test/durability/ledger.ts'
import { findWrong, fromSource, runRound, type Tried } from '../test/durability/rounds.ts'
import { type Soaked, soak } from './durability/soak.ts'
import { openBenchService } from './service.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    cuts: { type: 'string', default: '30' },
    soak: { type: 'string', default: '30' },
    service: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})

/** Answers after which a round is cut off: at random between these. */
const [MIN_ANSWERS, MAX_ANSWERS] = [20, 400]
/** Of the starts after a round, this share is killed before it serves. */
const KILLED_STARTS = 0.2
const FILE_SYSTEMS: FileSystem[] = ['ext4', 'xfs']

const command = values.service === undefined ? fromSource() : [resolve(values.service)]
const say = (line: string) => process.stderr.write(`${line}\n`)

/** Of one way to end a service: how often, how many acts were acknowledged meanwhile, and what was wrong afterwards. */
type Outcome = { ended: string; times: number; acts: number; wrong: object[] }

const kill = (pid: number) => void process.kill(pid, 'SIGKILL')
const answersOfRound = () => MIN_ANSWERS + Math.floor(Math.random() * (MAX_ANSWERS - MIN_ANSWERS))

/** Runs `act` on a new data folder, which is gone afterwards. */
async function onNewData<Result>(given: string[], act: (tried: Tried) => Promise<Result>): Promise<Result> {
  const { service, caller, secret, dataDir } = await openBenchService()
  await service.close()
  try {
    return await act({ command: given, folder: dataDir, projectId: caller.projectId, secret })
  } finally {
    rmSync(dataDir, { recursive: true })
  }
}

/** The same, on a disk of its own. */
function onDisk<Result>(
  given: string[],
  fileSystem: FileSystem,
  act: (tried: Tried, disk: Disk) => Promise<Result>,
): Promise<Result> {
  return onNewData(given, async (tried) => {
    const disk = makeDisk(fileSystem)
    try {
      const folder = join(disk.folder, 'data')
      cpSync(tried.folder, folder, { recursive: true })
      Bun.spawnSync(['sync'])
      return await act({ ...tried, folder }, disk)
    } finally {
      disk.remove()
    }
  })
}

/** Ends services so many times, and compares after each. `cut` ends one; `mend` makes its folder readable again. */
async function repeatCuts(
  ended: string,
  times: number,
  tried: Tried,
  cut: (pid: number) => void,
  mend: () => void,
): Promise<Outcome> {
  const ledger = createLedger()
  const outcome: Outcome = { ended, times, acts: 0, wrong: [] }
  for (let round = 1; round <= times; round++) {
    if (Math.random() < KILLED_STARTS) await killStart(tried)
    outcome.acts += await runRound(ledger, tried, answersOfRound(), cut)
    mend()
    const wrong = await findWrong(ledger, tried)
    if (isWrong(wrong)) outcome.wrong.push({ round, ...wrong })
    if (round % 10 === 0)
      say(`${ended}: ${round} of ${times}, ${outcome.acts} acts, wrong after ${outcome.wrong.length}`)
  }
  return outcome
}

const isWrong = (found: Awaited<ReturnType<typeof findWrong>>) =>
  !Bun.deepEquals(found, { ...NOTHING_WRONG, faults: [] })

/** Starts a service and kills it while it starts, or shortly after. */
async function killStart({ command: [program = '', ...words], folder }: Tried): Promise<void> {
  const child = Bun.spawn([program, ...words, 'serve'], {
    env: { SVC_DATA_DIR: folder, SVC_PORT: '0' },
    stdout: 'ignore',
    stderr: 'ignore',
  })
  await Bun.sleep(Math.random() * 600)
  child.kill('SIGKILL')
  await child.exited
}

const cutKills = (times: number, given = command) =>
  onNewData(given, (tried) => repeatCuts('killed', times, tried, kill, () => {}))

const cutPower = (fileSystem: FileSystem, times: number, given = command) =>
  onDisk(given, fileSystem, (tried, disk) =>
    repeatCuts(`power cut on ${fileSystem}`, times, tried, disk.cutPower, disk.mountAgain),
  )

/** Whether services that acknowledge too early are caught. Without that, that nothing was lost says nothing. */
async function catchSabotage(fileSystems: FileSystem[]): Promise<boolean> {
  const [first] = fileSystems
  const late = await cutKills(3, fromSource('late-commits.ts'))
  const unsynchronised = first === undefined ? undefined : await cutPower(first, 1, fromSource('no-syncs.ts'))
  return [late, unsynchronised].every((outcome) => outcome === undefined || outcome.wrong.length > 0)
}

async function soakFor(minutes: number): Promise<{ soaked: Soaked; outcome: Outcome }> {
  return await onNewData(command, async (tried) => {
    const ledger: Ledger = createLedger()
    const soaked = await soak(ledger, tried, minutes)
    const wrong = await findWrong(ledger, tried)
    const outcome = {
      ended: `${minutes} min of load`,
      times: 1,
      acts: soaked.answers,
      wrong: isWrong(wrong) ? [wrong] : [],
    }
    return { soaked, outcome }
  })
}

const fileSystems = FILE_SYSTEMS.filter(canMakeDisk)
if (fileSystems.length === 0) say('left out: power cuts; they take root, loop devices and mkfs.ext4 or mkfs.xfs')
const isCaught = await catchSabotage(fileSystems)
const outcomes = [await cutKills(Number(values.kills))]
for (const one of fileSystems) outcomes.push(await cutPower(one, Math.ceil(Number(values.cuts) / fileSystems.length)))
const soaking = Number(values.soak) > 0 ? await soakFor(Number(values.soak)) : undefined
if (soaking !== undefined) outcomes.push(soaking.outcome)

if (values.json) console.log(JSON.stringify({ isCaught, outcomes, soaked: soaking?.soaked }, null, 2))
else {
  console.log(`control     ${isCaught ? 'caught' : 'NOT CAUGHT'}`)
  for (const { ended, times, acts, wrong } of outcomes)
    console.log(`${ended} × ${times}: ${acts} acts acknowledged, wrong after ${wrong.length}`)
  const { samples = [], rssMibAnHour = 0, descriptorsAnHour = 0 } = soaking?.soaked ?? {}
  const most = (of: 'rssMib' | 'descriptors' | 'walMib' | 'longestMs') =>
    Math.max(...samples.map((one) => one[of])).toFixed(1)
  if (samples.length > 0)
    console.log(
      `at most ${most('rssMib')} MiB, ${most('descriptors')} descriptors, ${most('walMib')} MiB of logs, ${most('longestMs')} ms to /healthz; ` +
        `growth by the hour ${rssMibAnHour.toFixed(1)} MiB, ${descriptorsAnHour.toFixed(1)} descriptors`,
    )
}
for (const { ended, wrong } of outcomes) for (const one of wrong) say(`${ended}: ${JSON.stringify(one)}`)
process.exitCode = isCaught && outcomes.every(({ wrong }) => wrong.length === 0) ? 0 : 1
