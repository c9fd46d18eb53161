import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findClientSetup } from '../../src/console/project/client-setup.ts'
import { endLeftovers, type Program, runProgram, setUp } from '../clients/programs.ts'
import type { Step, startScriptedModel } from '../clients/scripted-model.ts'

const TIMEOUT_MS = 120_000
const MAIN = join(import.meta.dir, '../../src/main.ts')
/** What the file says that the assistant reads. */
export const CRANES = 'seven cranes'

export type Home = { place: Parameters<Program['run']>[0]; env: Record<string, string> }

type Machine = { url: string; secret: string; path: string; model: ReturnType<typeof startScriptedModel> }

/** Empty homes in which programs run with this key and model. */
export function createHomes({ url, secret, path, model }: Machine) {
  async function makeHome(program: Program, name: string): Promise<Home> {
    const home = await mkdtemp(join(tmpdir(), 'home-'))
    const work = join(home, name)
    await mkdir(work)
    await Bun.write(join(work, 'quay.txt'), CRANES)
    const setup = findClientSetup(program.clientId, `${url}/mcp`, secret)?.text ?? ''
    const place = { home, work, model: model.url, setup }
    const env = { PATH: path, HOME: home, TERM: 'dumb', CI: '1', SVC_API_KEY: secret, ...program.environment(place) }
    await setUp(program, place, env)
    return { place, env }
  }

  async function removeHome({ place }: Home): Promise<void> {
    await endLeftovers(place.home)
    await rm(place.home, { recursive: true, force: true })
  }

  async function runIn({ place, env }: Home, words: string[], steps: Step[]) {
    const seen = model.begin(steps)
    const { status, said } = await runProgram(words, { cwd: place.work, env, timeoutMs: TIMEOUT_MS })
    if (status !== 0) console.error(`${words.join(' ')}: ${said.slice(-1_000)}`)
    return seen
  }

  /** Runs a command of this program on the person's machine. */
  async function memsvc({ place, env }: Home, ...words: string[]): Promise<void> {
    const { status, said } = await runProgram([process.execPath, MAIN, ...words], {
      cwd: place.work,
      env: { ...env, SVC_ENDPOINT: url },
      timeoutMs: TIMEOUT_MS,
    })
    if (status !== 0) throw new Error(`memsvc ${words.join(' ')}: ${said.slice(-1_000)}`)
  }

  return { makeHome, removeHome, runIn, memsvc }
}
