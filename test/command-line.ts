import type { Service } from '../src/service.ts'
import { type Ran, runCommand } from './run-cli.ts'

/** The variables by which another process works on the data of a service. */
export function toEnvironment({ dataDir, databaseUrl, secretKeys }: Service['config']): Record<string, string> {
  const [key] = secretKeys
  return {
    SVC_DATA_DIR: dataDir,
    ...(databaseUrl !== undefined && { SVC_DATABASE_URL: databaseUrl, SVC_DATABASE_POOL: '2' }),
    ...(databaseUrl !== undefined && key !== undefined && { SVC_SECRET_KEY: Buffer.from(key).toString('hex') }),
  }
}

/** The command line, in this process, on the data of a running service and with its clock. */
export function commandsBeside({ config, clock, random }: Service) {
  const environment = toEnvironment(config)
  const memsvc = (...words: string[]): Promise<Ran> => runCommand({ environment, clock, random }, words)

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
