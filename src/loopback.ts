/** Host names and addresses of the loopback interface, with or without a port. */
const LOOPBACK = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1|\[::1\])(:\d+)?$/i

/** Whether a host is of the loopback interface. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host)
}
