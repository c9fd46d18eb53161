import { addServiceGauges } from '../src/http/metrics.ts'
import { createExposition } from '../src/metrics/exposition.ts'
import { startService } from './start-service.ts'

/** The metrics of a service, each with the labels that its series have at the start. */
export async function readMetricLabels(): Promise<Map<string, string[]>> {
  const { service } = await startService()
  const exposition = createExposition()
  addServiceGauges(service, exposition)
  const { text } = await exposition.render()
  exposition.close()
  const labelsOf = (name: string) =>
    [...text.matchAll(new RegExp(`^${name}\\{(.*)\\}`, 'gm'))].flatMap(([, labels = '']) =>
      [...labels.matchAll(/(\w+)=/g)].map(([, label = '']) => label),
    )
  return new Map([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => [name, labelsOf(name)]))
}
