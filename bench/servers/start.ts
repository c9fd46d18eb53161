import { join } from 'node:path'

/** A whole service in a process of its own, on a new folder, with an account without limits of calls. */
export type StartedService = { url: string; key: string; stop: () => void }

export async function startService(dataDir: string): Promise<StartedService> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'service.ts'), dataDir], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  for await (const chunk of child.stdout)
    return {
      ...(JSON.parse(new TextDecoder().decode(chunk)) as { url: string; key: string }),
      stop: () => child.kill(),
    }
  throw new Error('the service did not start')
}
