import type { Service } from '../src/service.ts'
import { type Ran, runCommand } from './run-cli.ts'

/** The command line, in this process, on the folder of a running service and with its clock. */
export function commandsBeside({ config, clock, random }: Service) {
  const memsvc = (...words: string[]): Promise<Ran> => runCommand({ environment: { SVC_DATA_DIR: config.dataDir }, clock, random }, words)

  /** One that must succeed, with `--json`: the value it printed. */
  async function json<Value = Record<string, unknown>>(...words: string[]): Promise<Value> {
    const { status, out, err } = await memsvc(...words, '--json')
    if (status !== 0) throw new Error(`${words.join(' ')}: ${err}`)
    return JSON.parse(out) as Value
  }

  /** One that must be refused: the reason. */
  async function refusal(...words: string[]): Promise<string> {
    const { status, out, err } = await memsvc(...words)
    if (status !== 1 || out !== '') throw new Error(`${words.join(' ')}: status ${status}, ${out}${err}`)
    return err.replace(/^memsvc: /, '').trimEnd()
  }

  return { memsvc, json, refusal }
}
