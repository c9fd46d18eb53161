import { ProtocolError } from '../../src/errors.ts'
import type { Integrations, Tool } from '../../src/mcp/catalogue.ts'

const text = { type: 'text' as const, text: 'for a test' }
const image = { type: 'image' as const, data: 'iVBORw0KGgo=', mimeType: 'image/png' }
const audio = { type: 'audio' as const, data: 'UklGRg==', mimeType: 'audio/wav' }
const resource = {
  type: 'resource' as const,
  resource: { uri: 'test://embedded', mimeType: 'text/plain', text: 'embedded' },
}

const plainInput = { type: 'object', properties: {} }

/** A schema with every keyword that the conformance suites look for. */
const richInput = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    kind: { type: 'string' },
    phone: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['name'] }, { required: ['phone'] }] }],
  if: { properties: { kind: { const: 'business' } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['name'] },
  else: { required: ['phone'] },
  additionalProperties: false,
}

const fixtures = [
  toFixture('test_simple_text', [text]),
  toFixture('test_image_content', [image]),
  toFixture('test_audio_content', [audio]),
  toFixture('test_embedded_resource', [resource]),
  toFixture('test_multiple_content_types', [text, image, resource]),
  toFixture('test_error_handling', [text], { isError: true }),
  toFixture('test_logging_tool', [text]),
  toFixture('test_streaming_elicitation', [text]),
  toFixture('json_schema_2020_12_tool', [text], { input: richInput }),
  toFixture('test_missing_capability', [text], { needs: 'sampling' }),
  { ...toFixture('test_tool_with_progress', []), run: runWithProgress },
]

/** The tools that conformance scenarios call by name, as tools of an integration. */
export const conformanceTools: Integrations = {
  list: async () => fixtures.map(({ listed }) => listed.keyed),
  find: async (_, name) => fixtures.find((fixture) => fixture.name === name),
}

type Wish = { isError?: boolean; input?: object; needs?: string }

function toFixture(name: string, content: object[], { isError = false, input = plainInput, needs }: Wish = {}): Tool {
  return {
    name,
    access: 'gateway',
    listed: { keyed: JSON.stringify({ name, description: 'for a test', inputSchema: input }), hosted: '' },
    readArguments: (args) => args,
    run: async () => {
      if (needs !== undefined)
        throw new ProtocolError(-32021, 'Missing capability', 400, { requiredCapabilities: { [needs]: {} } })
      return { forwarded: { text: JSON.stringify({ content, isError }) } }
    },
  }
}

/** Reports progress three times, with time between that another server would take. */
async function runWithProgress({ onProgress }: Parameters<Tool['run']>[0]) {
  for (const progress of [0, 50, 100]) {
    onProgress?.({ progress, total: 100 })
    await Bun.sleep(50)
  }
  return { forwarded: { text: JSON.stringify({ content: [text], isError: false }) } }
}
