/** Host names and addresses of the loopback interface, with or without a port. */
const LOOPBACK = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1|\[::1\])(:\d+)?$/i

/** Whether a host is of the loopback interface. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host)
}

/** What is said beside a link to be sent to somebody that opens on this machine alone; undefined for any other. */
export function toLoopbackNote(link: string): string | undefined {
  if (!isLoopback(new URL(link).host)) return undefined
  return 'Its address is of this machine alone: set SVC_PUBLIC_URL first for somebody elsewhere.'
}
