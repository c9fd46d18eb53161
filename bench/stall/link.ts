/** The way between the attackers and the service. */
export type Link = {
  /** What the command that runs the service begins with. */
  command: string[]
  /**
   * Addresses of the service, of the attackers with their upstream, and of the pinger, so that no window by address is
   * shared.
   */
  service: string
  attackers: string
  pinger: string
  close: () => void
}

/**
 * The system carries what attackers send in the time of whichever thread makes room for it: on this link that is the
 * service, as it reads.
 */
export const LOOPBACK: Link = {
  command: [],
  service: '127.0.0.1',
  attackers: '127.0.0.1',
  pinger: '127.0.0.2',
  close: () => {},
}

const NAMESPACE = 'memsvc-stall'
const OUTSIDE = 'memsvc-stall-0'
const INSIDE = 'memsvc-stall-1'
/** Addresses that RFC 2544 keeps for measurements. */
const ADDRESSES = { service: '198.18.0.2', attackers: '198.18.0.1', pinger: '198.18.0.3' }

/**
 * A network of two machines, as far as the system is concerned: the service gets a network namespace of its own at the
 * other end of a virtual cable. Linux only.
 *
 * @throws Error where that needs another user than root, or iproute2 is missing.
 */
export function openNetwork(): Link {
  const close = () => void Bun.spawnSync(['ip', 'netns', 'delete', NAMESPACE])
  // What a run that was killed has left behind.
  close()
  const inside = ['netns', 'exec', NAMESPACE, 'ip']
  const { service, attackers, pinger } = ADDRESSES
  ip('netns', 'add', NAMESPACE)
  ip('link', 'add', OUTSIDE, 'type', 'veth', 'peer', 'name', INSIDE, 'netns', NAMESPACE)
  for (const address of [attackers, pinger]) ip('address', 'add', `${address}/24`, 'dev', OUTSIDE)
  ip('link', 'set', OUTSIDE, 'up')
  ip(...inside, 'address', 'add', `${service}/24`, 'dev', INSIDE)
  for (const device of [INSIDE, 'lo']) ip(...inside, 'link', 'set', device, 'up')
  return { command: ['ip', 'netns', 'exec', NAMESPACE], ...ADDRESSES, close }
}

function ip(...words: string[]): void {
  const { success, stderr } = Bun.spawnSync(['ip', ...words])
  if (!success) throw new Error(`ip ${words.join(' ')}: ${stderr}`)
}
