import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { type Check, checksOf } from '../../agent/doctor/check.ts'
import { probeIntegration } from '../../gateway/probe.ts'
import { createGate } from '../../semaphore.ts'
import type { Service } from '../../service.ts'
import type { Integration } from '../../store/integration.ts'
import { countOf } from '../terminal/count-of.ts'

/** Servers that are asked at the same time. */
const MAX_CONCURRENT = 16

const { ok, warning, problem } = checksOf('service')

/** Asks each integration of all accounts for its tools. */
export async function checkIntegrations(service: Service): Promise<Check[]> {
  const accounts = await service.store.control.list('accounts', {})
  const integrations = (await Promise.all(accounts.map(({ id }) => service.store.control.list('integrations', { accountId: id })))).flat()
  const gate = createGate(MAX_CONCURRENT)
  return Promise.all(integrations.map((integration) => gate(() => checkIntegration(service, integration))))
}

async function checkIntegration(service: Service, integration: Integration): Promise<Check> {
  const { failure, milliseconds, withheld } = await probeIntegration(service, COMMAND_LINE, integration)
  const name = `integration '${integration.slug}'`
  const test = `'memsvc integration test ${integration.slug}'`
  if (failure !== undefined) return problem(name, failure.text, test)
  if (withheld.length > 0)
    return warning(
      name,
      `${countOf(withheld.length, 'tool')} ${withheld.length === 1 ? 'is' : 'are'} withheld`,
      `'memsvc integration changes ${integration.slug}'`,
    )
  return ok(name, `answers in ${milliseconds} ms`)
}
