import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { CLIENTS, type Client } from '../clients/clients.ts'
import { readSettings } from '../clients/formats/settings.ts'
import { HOOK_EVENTS, listHookFiles } from '../clients/hooks.ts'
import type { Machine } from '../clients/machine.ts'
import { readText } from '../clients/text-file.ts'
import { type Check, checksOf, toFileProblem } from './check.ts'

const { problem } = checksOf('client')

/** Our hooks whose program no longer exists: they fail silently, since a hook must never hold up a session. */
export async function checkHooks(machine: Machine): Promise<Check[]> {
  return (await Promise.all(CLIENTS.map((client) => checkClient(client, machine)))).flat()
}

async function checkClient(client: Client, machine: Machine): Promise<Check[]> {
  const files = listHookFiles(client.hooks, machine)
  return (await Promise.all(files.map((file) => checkFile(client, file)))).flat()
}

async function checkFile({ id, name }: Client, file: string): Promise<Check[]> {
  try {
    const text = await readText(file)
    if (text === undefined) return []
    const commands = listTexts(readSettings('json', text)).filter((one) => one.includes(` --client ${id}`))
    const gone = new Set(commands.flatMap(listProgram).filter((path) => isAbsolute(path) && !existsSync(path)))
    return [...gone].map((path) =>
      problem(name, `a hook in ${file} starts ${path}, which does not exist`, `'memsvc client add ${id} --hooks'`),
    )
  } catch (error) {
    return [toFileProblem(name, file, error)]
  }
}

const OUR_ARGUMENTS = new RegExp(` hook (?:${HOOK_EVENTS.join('|')}) --client `)

/** The program of a hook's command line, and its arguments before ours. */
function listProgram(command: string): string[] {
  const [program = ''] = command.split(OUR_ARGUMENTS)
  return [...program.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
}

function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : []
}
