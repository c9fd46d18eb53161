import { isObject, type Params } from '../jsonrpc.ts'
import { toPortableSchema } from '../portable-schema.ts'

/**
 * The schema of a tool's arguments for `tools/list`: portable; with the bounds of each argument repeated in its description, since some clients drop the
 * schema keywords; and with `null` allowed for optional arguments.
 */
export function toPublishedArguments(schema: object): Params {
  const { properties, required = [], ...others } = toPortableSchema(schema)
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name)
  const published = Object.entries(isObject(properties) ? properties : {}).map(([name, property]) => {
    const described = withBounds(isObject(property) ? property : {})
    return [name, isRequired(name) ? described : orNull(described)]
  })
  // Older revisions of JSON Schema do not allow an empty `required`.
  const needed = Array.isArray(required) && required.length > 0 ? { required } : {}
  return { ...others, properties: Object.fromEntries(published), ...needed }
}

function withBounds(property: Params): Params {
  const bounds = describeBounds(property)
  const { description, ...others } = property
  const parts = [description, bounds].filter((part) => part !== undefined)
  return parts.length === 0 ? property : { ...others, description: parts.join('; ') }
}

function describeBounds({ minimum, maximum, minLength, maxLength }: Params): string | undefined {
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`
  if (minimum !== undefined) return `at least ${minimum}`
  if (maximum !== undefined) return `at most ${maximum}`
  if (maxLength === undefined) return undefined
  return minLength === undefined ? `at most ${maxLength} characters` : `${minLength} to ${maxLength} characters`
}

/**
 * A schema that also allows null, as two alternatives, since some converters support only a single `type`. The description is in the first one, which is the
 * one that others keep.
 */
function orNull(property: Params): Params {
  return { anyOf: [property, { type: 'null' }] }
}
