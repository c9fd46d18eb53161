import { isObject, type Params } from '../jsonrpc.ts'
import { toPortableSchema } from '../portable-schema.ts'

/**
 * The schema of a tool's arguments for `tools/list`: portable; with the bounds of each argument in its description and
 * not as keywords, which some clients drop and the check of the arguments applies anyway; and with `null` allowed for
 * optional arguments.
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

const BOUNDS = new Set(['minimum', 'maximum', 'minLength', 'maxLength', 'maxItems'])

const withoutBounds = (schema: Params): Params =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !BOUNDS.has(keyword)))

function withBounds(property: Params): Params {
  const { description, items, ...others } = property
  const ofItems = isObject(items) ? describeBounds(items) : undefined
  const parts = [description, describeBounds(property), ofItems].filter((part) => part !== undefined)
  return {
    ...withoutBounds(others),
    ...(isObject(items) && { items: withoutBounds(items) }),
    ...(parts.length > 0 && { description: parts.join('; ') }),
  }
}

function describeBounds({ minimum, maximum, minLength, maxLength, maxItems }: Params): string | undefined {
  if (maxItems !== undefined) return `at most ${maxItems}`
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`
  if (minimum !== undefined) return `at least ${minimum}`
  if (maximum !== undefined) return `at most ${maximum}`
  if (maxLength === undefined) return undefined
  return minLength === undefined ? `at most ${maxLength} characters` : `${minLength} to ${maxLength} characters`
}

/**
 * A schema that also allows null, as two alternatives, since some converters support only a single `type`. The
 * description is in the first one, which is the one that others keep.
 */
function orNull(property: Params): Params {
  return { anyOf: [property, { type: 'null' }] }
}
