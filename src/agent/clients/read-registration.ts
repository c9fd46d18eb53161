import { type Client, type Machine, SERVER_NAME } from './client.ts'
import { readSettings, readSlot } from './formats/settings.ts'
import { type Registration, toRegistration } from './registration.ts'
import { readText } from './text-file.ts'

/** How a client is connected; undefined if it is not. @throws Refusal for settings that cannot be read or parsed. */
export async function readRegistration({ format, file, slot }: Client, machine: Machine): Promise<Registration | undefined> {
  const text = await readText(file(machine))
  return text === undefined ? undefined : toRegistration(readSlot(readSettings(format, text), slot(SERVER_NAME)))
}
