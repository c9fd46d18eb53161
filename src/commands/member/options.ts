import { Option } from 'commander'
import { requireDepartment } from '../../account/department.ts'
import type { Service } from '../../service.ts'
import type { Account, Department } from '../../store/control.ts'

/** The option by which a new member is given a role. */
export function roleOption(): Option {
  return new Option('--role <role>', 'what they are in the account').choices(['owner', 'admin', 'member']).default('member')
}

/** The account's department that an option names, if it does. */
export async function findDepartment(service: Service, account: Account, ref: string | undefined): Promise<Department | undefined> {
  return ref === undefined ? undefined : requireDepartment(service, account, ref)
}
