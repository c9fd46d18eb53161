import { isObject, type Params } from './jsonrpc.ts'

/** Keywords of JSON Schema whose value is a schema, a list of schemas, or schemas by name. Values under other keywords are data. */
const WITH_SCHEMA = ['items', 'additionalProperties', 'contains', 'not', 'if', 'then', 'else', 'propertyNames']
const WITH_SCHEMAS = ['anyOf', 'oneOf', 'allOf', 'prefixItems']
const WITH_NAMED_SCHEMAS = ['properties', 'patternProperties', '$defs', 'definitions']

/**
 * A schema of arguments in the form that the converters of model providers read: choices as `enum` instead of `anyOf` of `const`, no booleans in place of
 * schemas, no empty `properties` below the top. It accepts everything that the given one accepts; what it does not refuse any more is left to whoever checks
 * the arguments. Recurses as deep as the schema is nested.
 */
export function toPortableSchema(schema: object): Params {
  return mergeChoices(Object.fromEntries(Object.entries(schema).flatMap(([keyword, value]) => toPortableMember(keyword, value))))
}

/** The member, converted; none where converters cannot read it. */
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

/** Makes one `enum` of an `anyOf` whose alternatives are all texts to choose from. */
function mergeChoices(schema: Params): Params {
  const { anyOf, ...others } = schema
  if (!Array.isArray(anyOf) || !anyOf.every(isTextChoice)) return schema
  return { ...others, type: 'string', enum: anyOf.flatMap((choice) => choice.enum) }
}

function isTextChoice(schema: unknown): schema is { enum: string[] } {
  return isObject(schema) && Array.isArray(schema.enum) && schema.enum.every((value) => typeof value === 'string')
}
