import type { TObject, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { editDistance } from './edit-distance.ts'
import { CountedRefusal } from './errors.ts'
import { type Params, readJson } from './jsonrpc.ts'

/**
 * Compiles a function that checks a tool's arguments, omits optional ones that are null, and takes a number, list or
 * object that was sent as a string of it. It throws a Refusal that begins with the name of the wrong argument.
 */
export function argumentsReader(schema: TObject): (args: Params) => Params {
  const check = argumentsCheck(schema)
  const { properties, required = [] }: { properties: object; required?: string[] } = schema
  const types = Object.fromEntries(
    Object.entries(properties).map(([name, property]: [string, TSchema]) => [
      name,
      'type' in property ? property.type : 'string',
    ]),
  )
  const isOptional = (name: string) => Object.hasOwn(properties, name) && !required.includes(name)
  return (args) => {
    const isLeftOut = (name: string) => args[name] === null && isOptional(name)
    const names = Object.keys(args)
    const isQuoted = (name: string) =>
      typeof args[name] === 'string' && Object.hasOwn(types, name) && types[name] !== 'string'
    const given = names.some((name) => isLeftOut(name) || isQuoted(name))
      ? Object.fromEntries(
          names
            .filter((name) => !isLeftOut(name))
            .map((name) => [name, isQuoted(name) ? unquote(args[name]) : args[name]]),
        )
      : args
    check(given)
    return given
  }
}

/** Longer texts are not parsed, in UTF-16 units. */
const MAX_QUOTED_CHARACTERS = 65_536

/**
 * The JSON value that a text stands for; the text itself if it is none, or is beyond the bounds of a message. Models at
 * times quote a value that is no text.
 */
export function unquote(text: unknown): unknown {
  if (typeof text !== 'string' || text.length > MAX_QUOTED_CHARACTERS) return text
  try {
    return readJson(text)
  } catch {
    return text
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
  if (unknown !== undefined) return toUnknown(unknown, Object.keys(properties))
  if (error?.keyword === 'required') return `${error.params.requiredProperties[0]} is required`
  const name = error?.instancePath.split('/')[1] ?? ''
  return error === undefined ? 'arguments are not valid' : `${name} must ${toRequirement(error, properties[name])}`
}

/** Names further away than this share of their letters are not suggested. */
const MAX_DISTANCE = 0.4

function toUnknown(name: string, known: string[]): string {
  const [nearest] = known
    .map((one) => ({
      one,
      distance: editDistance(name.toLowerCase(), one, Math.floor(MAX_DISTANCE * one.length)) / one.length,
    }))
    .filter(({ distance }) => distance <= MAX_DISTANCE)
    .sort((a, b) => a.distance - b.distance)
  const names = `here are ${known.join(', ')}`
  return `${name} is not an argument; ${nearest === undefined ? `t${names}` : `did you mean ${nearest.one}? T${names}`}`
}

function toRequirement(error: TLocalizedValidationError, property: TSchema | undefined): string {
  const choices = toChoices(property)
  if (choices.length > 0) return `be one of ${choices.join(', ')}`
  if (error.keyword === 'type') return `be ${toPhrase(String(error.params.type))}`
  if (error.keyword === 'minimum') return `be at least ${error.params.limit}`
  if (error.keyword === 'maximum') return `be at most ${error.params.limit}`
  if (error.keyword === 'minLength')
    return error.params.limit === 1 ? 'not be empty' : `be at least ${error.params.limit} characters`
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
