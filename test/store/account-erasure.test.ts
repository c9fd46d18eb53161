import { expect, test } from 'bun:test'
import { getTableColumns } from 'drizzle-orm'
import { ACCOUNT_ROWS } from '../../src/store/shared/control/accounts.ts'
import { CONTROL_TABLES } from '../../src/store/sqlite/schema/control.ts'

/** Columns by which a row belongs to an account. */
const OWNERS = ['accountId', 'memberId', 'projectId', 'keyId', 'integrationId']

test('every table of the control data that has rows of accounts is erased with an account', () => {
  const owned = Object.entries(CONTROL_TABLES).filter(([, table]) =>
    Object.keys(getTableColumns(table)).some((column) => OWNERS.includes(column)),
  )
  expect(ACCOUNT_ROWS.map(([entity]) => entity as string).toSorted()).toEqual(
    [...owned.map(([entity]) => entity), 'accounts'].toSorted(),
  )
})
