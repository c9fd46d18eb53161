/** How this program is started: the path of the executable or, from its source, of Bun and the file that it runs. */
export function ownProgram(): string[] {
  const isCompiled = /^(\/\$bunfs\/|[A-Z]:[\\/]~BUN[\\/])/.test(Bun.main)
  return isCompiled ? [process.execPath] : [process.execPath, ...process.execArgv, Bun.main]
}
