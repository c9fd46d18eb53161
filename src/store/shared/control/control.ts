import type { ControlReads, ControlWrites } from '../../control.ts'
import type { Engine, WriteEngine } from '../engine.ts'
import { createAccountReads } from './accounts.ts'
import { createAuditReads, createAuditWrites } from './audit.ts'
import { createEntityReads, createEntityWrites } from './entities.ts'
import { createAccountWrites } from './erasure.ts'
import { createHolderReads } from './holders.ts'
import { createIntegrationReads, createUseWrites } from './uses.ts'

/** The verbs of control data, except for the one that each engine has for itself. */
type Shared<Verbs> = Omit<Verbs, 'countUse'>

export const createControlReads = (engine: Engine): Shared<ControlReads> => ({
  ...createEntityReads(engine),
  ...createAccountReads(engine),
  ...createAuditReads(engine),
  ...createHolderReads(engine),
  ...createIntegrationReads(engine),
})

export const createControlWrites = (engine: WriteEngine): Shared<ControlWrites> => ({
  ...createControlReads(engine),
  ...createEntityWrites(engine),
  ...createAccountWrites(engine),
  ...createAuditWrites(engine),
  ...createUseWrites(engine),
})
