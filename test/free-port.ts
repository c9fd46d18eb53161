/**
 * Where programs look for a port that tests tell them: below those that Linux gives by itself to connections and to
 * whoever asks for any, so that nobody is given it between this look and the start of the program.
 */
const FIRST_PORT = 10_000
const PORTS = 20_000

/** A port of 127.0.0.1 that nobody listens on, for a program that cannot ask for any and say which it was given. */
export function findFreePort(): number {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * PORTS)
    if (isFree(port)) return port
  }
}

function isFree(port: number): boolean {
  try {
    Bun.listen({ hostname: '127.0.0.1', port, socket: { data: () => {} } }).stop(true)
    return true
  } catch {
    return false
  }
}
