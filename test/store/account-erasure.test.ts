import { expect, test } from 'bun:test'
import { getTableColumns, getTableName, isTable } from 'drizzle-orm'
import { toAccountTables } from '../../src/store/account-erasure.ts'
import * as sqliteAudit from '../../src/store/sqlite/schema/audit.ts'
import * as sqliteControl from '../../src/store/sqlite/schema/control.ts'
import * as sqliteUse from '../../src/store/sqlite/schema/daily-use.ts'
import * as sqliteIntegration from '../../src/store/sqlite/schema/integration.ts'
import * as sqliteOAuth from '../../src/store/sqlite/schema/oauth.ts'
import * as sqliteSignIn from '../../src/store/sqlite/schema/sign-in.ts'

/** Columns by which a row belongs to an account. */
const OWNERS = ['accountId', 'memberId', 'projectId', 'keyId', 'integrationId']

test('every table of the control data that has rows of accounts is erased with an account', () => {
  const schemas = [sqliteAudit, sqliteControl, sqliteUse, sqliteIntegration, sqliteOAuth, sqliteSignIn]
  const tables = schemas.flatMap((schema) => Object.values(schema)).filter(isTable)
  const owned = tables.filter((table) => Object.keys(getTableColumns(table)).some((column) => OWNERS.includes(column)))
  const named = toAccountTables('address_wishes').map(([name]) => name)
  expect(named.toSorted()).toEqual([...owned.map(getTableName), 'accounts'].toSorted())
})
