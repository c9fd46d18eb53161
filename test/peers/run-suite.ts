import { join } from 'node:path'

/** The suites for servers, with their options and the list of scenarios that the service does not pass. */
export const SUITES: [string, string[], string][] = [
  ['conformance-2025', ['--suite', 'all'], 'conformance-2025.yml'],
  ['conformance-2026', ['--suite', 'all', '--spec-version', '2025-11-25'], 'conformance-2025.yml'],
  ['conformance-2026', ['--requirements', '2026-07-28'], 'conformance-2026.yml'],
]

/** The scenarios of a list. The suites have an option for it, but count warnings as failures then. */
export async function readListed(file: string): Promise<string[]> {
  return (Bun.YAML.parse(await Bun.file(join(import.meta.dir, file)).text()) as { server: string[] }).server
}

/**
 * Runs a suite against the server at `url`, in the folder `cwd`: how many scenarios it has, and which failed, in
 * alphabetical order.
 */
export async function runSuite(
  suite: string,
  options: string[],
  url: string,
  cwd: string,
): Promise<{ count: number; failed: string[] }> {
  const program = Bun.resolveSync(`${suite}/dist/index.js`, import.meta.dir)
  const command = [process.execPath, program, 'server', '--url', url, ...options]
  const ran = Bun.spawn(command, { stdout: 'pipe', stderr: 'ignore', cwd })
  const said = await new Response(ran.stdout).text()
  const outcomes = [...said.slice(said.indexOf('=== SUMMARY')).matchAll(/^([✓✗]) ([\w-]+): /gm)]
  const failed = outcomes.flatMap(([, mark, scenario]) => (mark === '✗' && scenario !== undefined ? [scenario] : []))
  return { count: outcomes.length, failed: failed.sort() }
}
