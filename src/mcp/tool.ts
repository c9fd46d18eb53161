import { Elysia } from 'elysia'
import { type Static, type TObject, type TSchema, Type } from 'typebox'
import type { Caller } from '../account/auth/caller.ts'
import type { ToolAccess } from '../account/subscription/subscription.ts'
import { argumentsCheck } from '../arguments.ts'
import type { Service } from '../service.ts'
import type { Outcome, Tool } from './catalogue.ts'

/** The four hints by which a client decides whether to ask its user. */
export type Hints = { readOnly: boolean; destructive: boolean; idempotent: boolean; openWorld: boolean }

/** One tool, said once: what it is called, when to use it, what it takes, what it gives, what it does. */
export type Definition<Args extends TObject> = {
  name: string
  title: string
  description: string
  access: ToolAccess
  hints: Hints
  args: Args
  /** Absent when the answer is another server's. */
  result?: TSchema
  /** What may stand beside the result. */
  hint?: TSchema
  run: (call: { service: Service; caller: Caller; args: Static<Args>; signal: () => AbortSignal }) => Promise<Outcome>
}

/** The plugin that puts a tool on the catalogue. */
export function tool<Args extends TObject>(definition: Definition<Args>) {
  const { name, access } = definition
  const entry: Tool = {
    name,
    access,
    listed: { keyed: toListed(definition, identity), hosted: toListed(definition, {}) },
    check: argumentsCheck(definition.args),
    run: (call) => definition.run(call as typeof call & { args: Static<Args> }),
  }
  return new Elysia({ name: `tool/${name}` }).decorate('catalogue', { [name]: entry })
}

const identity = { api_version: Type.Literal('1.0'), tenant_id: Type.String(), project_id: Type.String() }

function toListed(definition: Definition<TObject>, around: Record<string, TSchema>): string {
  const { name, title, description, hints, args, result, hint } = definition
  return JSON.stringify({
    name,
    title,
    description,
    inputSchema: args,
    outputSchema: result && Type.Object({ result, ...(hint && { hint: Type.Optional(hint) }), ...around }),
    annotations: {
      title,
      readOnlyHint: hints.readOnly,
      destructiveHint: hints.destructive,
      idempotentHint: hints.idempotent,
      openWorldHint: hints.openWorld,
    },
  })
}
