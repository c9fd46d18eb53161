import type { Kit } from '../../sqlite/schema/kit.ts'
import { createAccountTables } from './accounts.ts'
import { createAuditTables } from './audit.ts'
import { createConnectedTables } from './connected.ts'
import { createSignInTables } from './sign-ins.ts'

/** The tables of control data, in the order in which a move writes them. Times are milliseconds since 1970. */
export const createControlTables = (kit: Kit) => ({
  ...createAccountTables(kit),
  ...createSignInTables(kit),
  ...createConnectedTables(kit),
  ...createAuditTables(kit),
})

export type ControlTables = ReturnType<typeof createControlTables>
