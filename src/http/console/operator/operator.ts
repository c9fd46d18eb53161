import { Elysia } from 'elysia'
import { countAccounts, listAllAccounts } from '../../../account/organizations/all-accounts.ts'
import { OPERATOR_PATH, toOperator } from '../../../console/operator/operator.ts'
import { readServiceState } from '../../../maintenance/service-state.ts'
import type { Service } from '../../../service.ts'
import { page } from '../handle.ts'
import { type FormState, type PageRequest, toConsolePage } from '../page-request.ts'
import { paginate } from '../paging.ts'
import { viewForOperator } from './for-operator.ts'

/** The page of the whole service, for the operator; others get status 404. */
export function operator(service: Service) {
  return new Elysia({ name: 'console/operator' }).get(OPERATOR_PATH, page(service, viewForOperator(showOperator)))
}

async function showOperator(req: PageRequest, state: FormState): Promise<Response> {
  const { service, actor, url } = req
  const { rows, more } = paginate(url, OPERATOR_PATH, await listAllAccounts(service, actor))
  const body = toOperator({
    version: service.version,
    state: await readServiceState(service, actor),
    accounts: await countAccounts(service, rows),
    more,
    now: service.clock.now(),
  })
  return toConsolePage(req, state, { title: 'Operator', section: OPERATOR_PATH, body })
}
