import { existsSync } from 'node:fs'
import type { Client, Machine } from './client.ts'

/** The path of a client's command, or the first of its folders that exists; undefined if the client seems not to be installed. */
export function findInstalled(client: Client, machine: Machine): string | undefined {
  return findExecutable(client, machine) ?? client.folders(machine).find((folder) => existsSync(folder))
}

/** The path of a client's command; undefined if it is not on the PATH. */
export function findExecutable({ executable }: Client, { environment }: Machine): string | undefined {
  if (executable === undefined) return undefined
  return Bun.which(executable, { PATH: environment.PATH ?? '' }) ?? undefined
}
