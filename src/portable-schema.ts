import { isObject, type Params } from './jsonrpc.ts'

/**
 * Keywords of JSON Schema whose value is a schema, a list of schemas, or a map of schemas. The values of all other
 * keywords are data.
 */
const WITH_SCHEMA = ['items', 'additionalProperties', 'contains', 'not', 'if', 'then', 'else', 'propertyNames']
const WITH_SCHEMAS = ['anyOf', 'oneOf', 'allOf', 'prefixItems']
const WITH_NAMED_SCHEMAS = ['properties', 'patternProperties', '$defs', 'definitions']

/**
 * A schema of arguments in a form that the converters of model providers understand: `enum` instead of `anyOf` of
 * `const`, no booleans as schemas, no empty `properties` below the top level. It accepts everything that the given
 * schema accepts, and possibly more, which the check of the arguments then refuses. Recurses as deep as the schema is
 * nested.
 */
export function toPortableSchema(schema: object): Params {
  return mergeChoices(
    Object.fromEntries(Object.entries(schema).flatMap(([keyword, value]) => toPortableMember(keyword, value))),
  )
}

/** The converted member; none if converters do not understand it. */
function toPortableMember(keyword: string, value: unknown): [string, unknown][] {
  if (keyword === 'additionalProperties' && typeof value === 'boolean') return []
  if (keyword === 'const' && typeof value === 'string') return [['enum', [value]]]
  if (WITH_SCHEMA.includes(keyword)) return [[keyword, toInner(value)]]
  if (WITH_SCHEMAS.includes(keyword) && Array.isArray(value)) return [[keyword, value.map(toInner)]]
  if (!WITH_NAMED_SCHEMAS.includes(keyword) || !isObject(value)) return [[keyword, value]]
  return [[keyword, Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, toInner(inner)]))]]
}

/** A schema within another. `true` accepts everything and `false` nothing. */
function toInner(schema: unknown): unknown {
  if (typeof schema === 'boolean') return schema ? {} : { not: {} }
  if (!isObject(schema)) return schema
  const { properties, ...others } = toPortableSchema(schema)
  const isEmpty = properties === undefined || (isObject(properties) && Object.keys(properties).length === 0)
  return isEmpty ? others : { ...others, properties }
}

/** Merges an `anyOf` whose alternatives are all texts into one `enum`. */
function mergeChoices(schema: Params): Params {
  const { anyOf, ...others } = schema
  if (!Array.isArray(anyOf) || !anyOf.every(isTextChoice)) return schema
  return { ...others, type: 'string', enum: anyOf.flatMap((choice) => choice.enum) }
}

function isTextChoice(schema: unknown): schema is { enum: string[] } {
  return isObject(schema) && Array.isArray(schema.enum) && schema.enum.every((value) => typeof value === 'string')
}
