import { disableIntegration, enableIntegration } from '../../gateway/integration.ts'
import type { Project } from '../../store/account.ts'
import type { Integration } from '../../store/integration.ts'
import type { PageRequest } from './page-request.ts'

/** Enables or disables an integration for a project, as a form says, and gives the word for what was done. */
export async function switchIntegration(
  { service, actor }: PageRequest,
  integration: Integration,
  project: Project,
  form: URLSearchParams,
): Promise<string> {
  const enable = form.get('enabled') === 'yes'
  await (enable ? enableIntegration : disableIntegration)(service, integration, project, actor)
  return enable ? 'integration.enabled' : 'integration.disabled'
}
