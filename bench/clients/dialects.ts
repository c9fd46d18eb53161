/** What a model is asked: the names of the tools that it is offered, and the results of the calls that it made. */
export type Asked = { tools: string[]; results: string[] }

/** What a model answers: a call of a tool, or the text that ends its turn. */
export type Answer = { tool: string; args: object } | { text: string }

/** One of the interfaces by which clients speak to their models. Answers are event streams. */
export type Dialect = { path: RegExp; read: (body: Body) => Asked; render: (answer: Answer, id: string) => string }

type Body = Record<string, unknown>

const list = (value: unknown): Body[] => (Array.isArray(value) ? (value as Body[]) : [])
const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''))
const toEvent = (data: object, name?: string) =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`
const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }

const anthropic: Dialect = {
  path: /\/v1\/messages$/,
  read: ({ tools, messages }) => {
    const blocks = list(messages).flatMap(({ content }) => list(content))
    return {
      tools: list(tools).map(({ name }) => toText(name)),
      results: blocks.filter(({ type }) => type === 'tool_result').map(({ content }) => toText(content)),
    }
  },
  render: (answer, id) => {
    const isCall = 'tool' in answer
    const block = isCall ? { type: 'tool_use', id, name: answer.tool, input: {} } : { type: 'text', text: '' }
    const delta = isCall
      ? { type: 'input_json_delta', partial_json: JSON.stringify(answer.args) }
      : { type: 'text_delta', text: answer.text }
    const message = {
      id: `msg_${id}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [],
      stop_reason: null,
      usage,
    }
    const events: object[] = [
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: isCall ? 'tool_use' : 'end_turn' }, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    ]
    return events.map((event) => toEvent(event, (event as { type: string }).type)).join('')
  },
}

/** Tools of a namespace are called by their own name and that of the namespace. */
const responses: Dialect = {
  path: /\/responses$/,
  read: ({ tools, input }) => ({
    tools: list(tools).flatMap((tool) =>
      tool.type === 'namespace'
        ? list(tool.tools).map(({ name }) => `${tool.name} ${name}`)
        : [toText(tool.name ?? tool.type)],
    ),
    results: list(input)
      .filter(({ type }) => type === 'function_call_output')
      .map(({ output }) => toText(output)),
  }),
  render: (answer, id) => {
    const item =
      'tool' in answer
        ? toResponsesCall(answer, id)
        : { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: answer.text }] }
    const response = {
      id: `resp_${id}`,
      output: [],
      usage: { ...usage, input_tokens_details: null, output_tokens_details: null },
    }
    return [
      toEvent({ type: 'response.created', response }, 'response.created'),
      toEvent({ type: 'response.output_item.done', item }, 'response.output_item.done'),
      toEvent({ type: 'response.completed', response }, 'response.completed'),
    ].join('')
  },
}

function toResponsesCall({ tool, args }: { tool: string; args: object }, id: string) {
  const [namespace, name] = tool.includes(' ') ? tool.split(' ') : [undefined, tool]
  return { type: 'function_call', call_id: id, ...(namespace && { namespace }), name, arguments: JSON.stringify(args) }
}

const chat: Dialect = {
  path: /\/chat\/completions$/,
  read: ({ tools, messages }) => ({
    tools: list(tools).map(({ function: called }) => toText((called as Body).name)),
    results: list(messages)
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => toText(content)),
  }),
  render: (answer, id) => {
    const toChunk = (delta: object, finish_reason: string | null) =>
      toEvent({
        id,
        object: 'chat.completion.chunk',
        created: 1,
        model: 'scripted',
        choices: [{ index: 0, delta, finish_reason }],
      })
    if ('text' in answer)
      return `${toChunk({ role: 'assistant', content: answer.text }, null)}${toChunk({}, 'stop')}data: [DONE]\n\n`
    const call = {
      index: 0,
      id,
      type: 'function',
      function: { name: answer.tool, arguments: JSON.stringify(answer.args) },
    }
    return `${toChunk({ role: 'assistant', tool_calls: [call] }, null)}${toChunk({}, 'tool_calls')}data: [DONE]\n\n`
  },
}

const gemini: Dialect = {
  path: /:(streamG|g)enerateContent$/,
  read: ({ tools, contents }) => ({
    tools: list(tools).flatMap(({ functionDeclarations }) =>
      list(functionDeclarations).map(({ name }) => toText(name)),
    ),
    results: list(contents)
      .flatMap(({ parts }) => list(parts))
      .filter(({ functionResponse }) => functionResponse !== undefined)
      .map(({ functionResponse }) => toText((functionResponse as Body).response)),
  }),
  render: (answer) => {
    const part = 'tool' in answer ? { functionCall: { name: answer.tool, args: answer.args } } : { text: answer.text }
    const candidate = { index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }
    return toEvent({
      candidates: [candidate],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    })
  },
}

export const DIALECTS: Dialect[] = [anthropic, responses, chat, gemini]
