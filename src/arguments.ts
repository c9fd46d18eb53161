import type { TObject, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { CountedRefusal } from './errors.ts'
import type { Params } from './jsonrpc.ts'

/**
 * Compiles a function that checks a tool's arguments and omits optional ones that are null. It throws a Refusal that begins with the name of the wrong
 * argument.
 */
export function argumentsReader(schema: TObject): (args: Params) => Params {
  const check = argumentsCheck(schema)
  const { properties, required = [] }: { properties: object; required?: string[] } = schema
  const isOptional = (name: string) => Object.hasOwn(properties, name) && !required.includes(name)
  return (args) => {
    const isLeftOut = (name: string) => args[name] === null && isOptional(name)
    const names = Object.keys(args)
    const given = names.some(isLeftOut)
      ? Object.fromEntries(names.filter((name) => !isLeftOut(name)).map((name) => [name, args[name]]))
      : args
    check(given)
    return given
  }
}

/** Compiles a check of a tool's arguments. It throws a Refusal that begins with the name of the wrong argument. */
export function argumentsCheck(schema: TObject): (args: Params) => void {
  const validator = Compile(schema)
  return (args) => {
    if (!validator.Check(args)) throw new CountedRefusal('arguments', toReason(schema, args, validator.Errors(args)))
    for (const name of Object.keys(args)) if (typeof args[name] === 'string') requireStorableText(name, args[name])
  }
}

/** NUL and unpaired surrogates cannot be stored and returned unchanged. */
function requireStorableText(name: string, text: string): void {
  if (text.includes('\0')) throw new CountedRefusal('arguments', `${name} must not contain the character NUL`)
  if (!text.isWellFormed()) throw new CountedRefusal('arguments', `${name} must be well-formed Unicode text`)
}

function toReason({ properties }: TObject, args: Params, [error]: TLocalizedValidationError[]): string {
  const unknown = Object.keys(args).find((name) => !Object.hasOwn(properties, name))
  if (unknown !== undefined) return `${unknown} is not an argument; there are ${Object.keys(properties).join(', ')}`
  if (error?.keyword === 'required') return `${error.params.requiredProperties[0]} is required`
  const name = error?.instancePath.split('/')[1] ?? ''
  return error === undefined ? 'arguments are not valid' : `${name} must ${toRequirement(error, properties[name])}`
}

function toRequirement(error: TLocalizedValidationError, property: TSchema | undefined): string {
  const choices = toChoices(property)
  if (choices.length > 0) return `be one of ${choices.join(', ')}`
  if (error.keyword === 'type') return `be ${toPhrase(String(error.params.type))}`
  if (error.keyword === 'minimum') return `be at least ${error.params.limit}`
  if (error.keyword === 'maximum') return `be at most ${error.params.limit}`
  if (error.keyword === 'minLength') return error.params.limit === 1 ? 'not be empty' : `be at least ${error.params.limit} characters`
  if (error.keyword === 'maxLength') return `be at most ${error.params.limit} characters`
  return error.message.replace(/^must /, '')
}

/** The values of a property that is a union of literals. */
function toChoices(property: TSchema | undefined): unknown[] {
  const { anyOf = [] } = (property ?? {}) as { anyOf?: { const?: unknown }[] }
  return anyOf.map((choice) => choice.const).filter((value) => value !== undefined)
}

function toPhrase(type: string): string {
  return /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`
}
