import { expect, test } from 'bun:test'
import { toPortableSchema } from '../src/portable-schema.ts'

test('choices become an enum, and a choice or null keeps its null', () => {
  const choices = [{ const: 'a' }, { const: 'b', type: 'string' }]
  expect(toPortableSchema({ anyOf: choices, description: 'which' })).toEqual({
    type: 'string',
    enum: ['a', 'b'],
    description: 'which',
  })
  const orNull = { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] }
  expect(toPortableSchema(orNull)).toEqual(orNull)
})

test('nothing of a schema is a boolean in place of a schema, and no object below the top has empty properties', () => {
  const schema = {
    type: 'object',
    properties: { any: true, none: false, rest: { type: 'object', properties: {}, additionalProperties: true } },
    additionalProperties: false,
  }
  expect(toPortableSchema(schema)).toEqual({
    type: 'object',
    properties: { any: {}, none: { not: {} }, rest: { type: 'object' } },
  })
  expect(toPortableSchema({ type: 'object', properties: {} })).toEqual({ type: 'object', properties: {} })
})

test('arguments that are named like a keyword, and data, stay as they are', () => {
  const schema = {
    type: 'object',
    properties: { additionalProperties: { type: 'boolean', default: true }, const: { type: 'string' } },
    default: { additionalProperties: true, const: 'x' },
  }
  expect(toPortableSchema(schema)).toEqual(schema)
})

test('schemas inside of others are converted at any depth', () => {
  const inner = { type: 'object', properties: { x: { const: 'y' } }, additionalProperties: false }
  const schema = { items: inner, oneOf: [inner], $defs: { inner }, additionalProperties: inner }
  const portable = { type: 'object', properties: { x: { enum: ['y'] } } }
  expect(toPortableSchema(schema)).toEqual({
    items: portable,
    oneOf: [portable],
    $defs: { inner: portable },
    additionalProperties: portable,
  })
})
