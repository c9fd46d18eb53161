import { Elysia } from 'elysia'
import { type Static, type TObject, type TSchema, Type } from 'typebox'
import type { ToolAccess } from '../account/subscription/subscription.ts'
import { argumentsReader } from '../arguments.ts'
import { isObject, type Params } from '../jsonrpc.ts'
import { toPortableSchema } from '../portable-schema.ts'
import type { Outcome, Tool, ToolCall } from './catalogue.ts'

/** The annotations by which a client decides whether to ask its user before a call. */
type Hints = { readOnly: boolean; destructive: boolean; idempotent: boolean; openWorld: boolean }

/** Everything about a tool: its entry in `tools/list` and its handler. */
type Definition<Args extends TObject> = {
  name: string
  title: string
  description: string
  access: ToolAccess
  hints: Hints
  args: Args
  /** Schema of the result; undefined if another server's result is passed on. */
  result?: TSchema
  /** Schemas of optional members beside the result. */
  extras?: Record<string, TSchema>
  /** Whether clients that load tools on demand load this one from the start. */
  alwaysLoad?: boolean
  run: (call: ToolCall & { args: Static<Args> }) => Promise<Outcome>
}

/** Makes the Elysia plugin that adds a tool to the catalogue. */
export function tool<Args extends TObject>(definition: Definition<Args>) {
  const { name, access } = definition
  const entry: Tool = {
    name,
    access,
    listed: { keyed: toListed(definition, IDENTITY_SCHEMAS), hosted: toListed(definition, {}) },
    readArguments: argumentsReader(definition.args),
    run: (call) => definition.run(call as typeof call & { args: Static<Args> }),
  }
  return new Elysia({ name: `tool/${name}` }).decorate('catalogue', { [name]: entry })
}

/** Schemas of the members that `identityFor` adds for callers with a key. */
const IDENTITY_SCHEMAS = { api_version: Type.Literal('1.0'), tenant_id: Type.String(), project_id: Type.String() }

/** The JSON of the tool's entry in `tools/list`. `siblings` are the members beside its result. */
function toListed(definition: Definition<TObject>, siblings: Record<string, TSchema>): string {
  const { name, title, description, hints, args, result, extras, alwaysLoad } = definition
  return JSON.stringify({
    name,
    title,
    description,
    inputSchema: toPublishedArguments(args),
    outputSchema: result && typesOf(Type.Object({ result, ...extras, ...siblings })),
    annotations: {
      title,
      readOnlyHint: hints.readOnly,
      destructiveHint: hints.destructive,
      idempotentHint: hints.idempotent,
      openWorldHint: hints.openWorld,
    },
    ...(alwaysLoad && { _meta: { 'anthropic/alwaysLoad': true } }),
  })
}

/**
 * The portable form of a result's schema, without descriptions and lists of values: clients validate answers with it
 * but show it to no model.
 */
function typesOf(schema: TObject): Params {
  const isLeftOut = (key: string, value: unknown) =>
    (key === 'description' && typeof value === 'string') || key === 'const' || (key === 'enum' && Array.isArray(value))
  return JSON.parse(
    JSON.stringify(toPortableSchema(schema), (key, value) => (isLeftOut(key, value) ? undefined : value)),
  )
}

/**
 * The schema of a tool's arguments for `tools/list`: portable; without bounds, which some clients drop and the check of
 * the arguments applies anyway, so that descriptions say those that a call may come to; and with `null` allowed for
 * optional texts and numbers.
 */
function toPublishedArguments(schema: object): Params {
  const { properties, required = [], ...others } = toPortableSchema(schema)
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name)
  const published = Object.entries(isObject(properties) ? properties : {}).map(([name, property]) => {
    const published = withoutBounds(isObject(property) ? property : {})
    return [name, isRequired(name) ? published : orNull(published)]
  })
  // Older revisions of JSON Schema do not allow an empty `required`.
  const needed = Array.isArray(required) && required.length > 0 ? { required } : {}
  return { ...others, properties: Object.fromEntries(published), ...needed }
}

const BOUNDS = new Set(['minimum', 'maximum', 'minLength', 'maxLength', 'maxItems'])

function withoutBounds(schema: Params): Params {
  const kept = Object.entries(schema).filter(([keyword]) => !BOUNDS.has(keyword))
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, isObject(value) ? withoutBounds(value) : value]))
}

/**
 * The schema of a text or number that also allows null; others stay as they are. Some APIs make a model give every
 * argument: an empty list or `false` then does no harm, but without null a text or number would be invented. There are
 * two alternatives, since some converters support only a single `type`, and the description is in the first one, which
 * is the one that others keep.
 */
function orNull(property: Params): Params {
  return property.type === 'string' || property.type === 'integer' ? { anyOf: [property, { type: 'null' }] } : property
}
