import { isOperatingMember } from '../../../account/auth/authorize.ts'
import type { Action, View } from '../handle.ts'
import { type PageRequest, toNowhere } from '../page-request.ts'

/** A view that responds with status 404 to everyone but the operator, as if it did not exist. */
export function viewForOperator(view: View): View {
  return async (req, state) => ((await isOperator(req)) ? view(req, state) : toNowhere(req))
}

/** The same for an action. */
export function actionForOperator(act: Action): Action {
  return async (req, ...posted) => ((await isOperator(req)) ? act(req, ...posted) : toNowhere(req))
}

const isOperator = ({ service, visitor }: PageRequest) => isOperatingMember(service.store.control, visitor)
