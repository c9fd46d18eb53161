import { type Answer, type Asked, DIALECTS } from './dialects.ts'

/** A call that the model makes when its turn comes: the tool whose name ends so, whatever the client puts before it. */
export type Step = { cell: string; tool: RegExp; args: object }

/** What reached the model in one run of a client. */
export type Seen = {
  /** Names of the tools in the largest list that it was offered. */
  tools: string[]
  /**
   * The requests as JSON: descriptions of tools, system prompt, messages and results; and the first of those that
   * offered tools.
   */
  text: string
  first: string
  /** The result of each step that was made. */
  results: Map<string, string>
}

/** The tool by which Claude Code's model finds those that are not shown from the start. */
const TOOL_SEARCH = 'ToolSearch'

/** Bounds of what is kept of the texts. */
const MAX_TEXT_CHARACTERS = 2_000_000

/**
 * A model endpoint on loopback that speaks the interfaces of several providers. Its answers are a script: the calls of
 * `steps` one after the other, each as soon as the result of the one before has come, then the text `done`. Requests
 * that offer none of its tools (titles, summaries) are answered with a text. Every request is written to a file of the
 * folder `recordIn`, where one is given.
 */
export function startScriptedModel(recordIn?: string) {
  let steps: Step[] = []
  let made = 0
  let isSearched = false
  let waiting: { step: Step; resultsBefore: number } | undefined
  let seen: Seen = { tools: [], text: '', first: '', results: new Map() }

  function answer(asked: Asked, request: string): Answer {
    if (asked.tools.length > seen.tools.length) seen.tools = asked.tools
    if (seen.text.length < MAX_TEXT_CHARACTERS) seen.text += request
    const isOffered = ({ tool }: Step) => asked.tools.some((name) => tool.test(name) || name === TOOL_SEARCH)
    if (seen.first === '' && asked.tools.length > 0) seen.first = request
    if (!steps.some(isOffered)) return { text: 'ok' }
    if (waiting !== undefined && asked.results.length > waiting.resultsBefore) {
      seen.results.set(waiting.step.cell, asked.results.at(-1) ?? '')
      waiting = undefined
    }
    return nextCall(asked) ?? { text: 'done' }
  }

  function nextCall({ tools, results }: Asked): Answer | undefined {
    for (let step = steps[made]; step !== undefined; step = steps[made]) {
      const { tool: pattern, args } = step
      const tool = tools.find((name) => pattern.test(name))
      if (tool === undefined && !isSearched && tools.includes(TOOL_SEARCH)) {
        isSearched = true
        return { tool: TOOL_SEARCH, args: { query: 'memsvc', max_results: 20 } }
      }
      made += 1
      if (tool === undefined) continue
      waiting = { step, resultsBefore: results.length }
      return { tool, args }
    }
    return undefined
  }

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    fetch: async (request) => {
      const { pathname } = new URL(request.url)
      const dialect = DIALECTS.find(({ path }) => path.test(pathname))
      if (dialect === undefined || request.method !== 'POST') return Response.json({ data: [], models: [] })
      const text = await request.text()
      const body = JSON.parse(text)
      if (recordIn !== undefined) await Bun.write(`${recordIn}/${Date.now()}.json`, JSON.stringify(body, null, 2))
      const rendered = dialect.render(answer(dialect.read(body), text), `call_${crypto.randomUUID().slice(0, 8)}`)
      return new Response(rendered, { headers: { 'content-type': 'text/event-stream' } })
    },
  })

  return {
    url: `http://127.0.0.1:${server.port}`,
    /** Begins a script, and forgets what an earlier run has shown. */
    begin: (script: Step[]): Seen => {
      steps = script
      made = 0
      isSearched = false
      waiting = undefined
      seen = { tools: [], text: '', first: '', results: new Map() }
      return seen
    },
    stop: () => server.stop(true),
  }
}
