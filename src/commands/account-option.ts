import { Option } from 'commander'

/** The option by which commands take an account; `requireAccount` finds the only one where it is left out. */
export function accountOption(): Option {
  return new Option('--account <account>', 'name or id; may be left out where there is only one account')
}
