import { Option } from 'commander'

/** The option by which a new member is given a role. */
export function roleOption(): Option {
  return new Option('--role <role>', 'what they are in the account').choices(['owner', 'admin', 'member']).default('member')
}
