import ipaddr from 'ipaddr.js'
import { Refusal } from '../errors.ts'

/** An IP network: its address and prefix length. */
export type Network = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** Addresses and networks in CIDR form, of proxies. Throws a Refusal that names the entry. */
export function readNetworks(entries: string[]): Network[] {
  return entries.map((entry) => {
    const [address = '', bits = ''] = entry.split('/')
    // An IPv4 address within an IPv6 one is compared as IPv4.
    const isWritable = isAddress(address) && !/^::ffff:/i.test(address) && !/^0\d/.test(bits)
    if (isWritable && ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry)
    if (isWritable && address === entry) return ipaddr.parseCIDR(`${entry}/${entry.includes(':') ? 128 : 32}`)
    throw new Refusal(`must hold addresses and networks such as 10.0.0.0/8, not '${entry}'`)
  })
}

/** Whether an address is in one of the networks. */
export function isInNetworks(networks: Network[], address: Network[0]): boolean {
  return networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))
}

/** Whether a text is an IP address as people write it: `127.1` and `0x7f000001` are none. */
export function isAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)
}
