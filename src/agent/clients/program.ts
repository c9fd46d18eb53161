/** The command that starts this program: the path of the executable or, from source, of Bun and the entry file. */
export function ownProgram(): string[] {
  const isCompiled = /^(\/\$bunfs\/|[A-Z]:[\\/]~BUN[\\/])/.test(Bun.main)
  return isCompiled ? [process.execPath] : [process.execPath, ...process.execArgv, Bun.main]
}
