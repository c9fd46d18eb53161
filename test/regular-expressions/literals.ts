/** What a slash stands behind that begins a regular expression and is no division. */
const BEFORE_EXPRESSION = /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|of|in|void|yield|await))\s*$/
/** Comments, strings, and one character of anything else. */
const TOKEN = /\/\/.*|\/\*[\s\S]*?\*\/|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[\s\S]/y
/** A part of a template, up to its end or the code within it. */
const TEMPLATE = /[`}](?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{)/y
const EXPRESSION = /\/((?:[^/\\[\n]|\\.|\[(?:[^\]\\]|\\.)*\])+)\/([a-z]*)/y

/** The regular expressions that stand in a source of TypeScript as literals. */
export function findLiterals(source: string): RegExp[] {
  const found: RegExp[] = []
  /** For each template around a place, how many braces are open in the code within it. */
  const braces: number[] = []
  /** What is before a place, without what stands in comments, strings and templates. */
  let code = ''
  for (let at = 0; at < source.length; ) {
    const isInTemplate = source[at] === '`' || (source[at] === '}' && braces.at(-1) === 0)
    const isComment = /^\/[/*]/.test(source.slice(at, at + 2))
    const expression = !isComment && BEFORE_EXPRESSION.test(code.slice(-20)) ? matchAt(EXPRESSION, source, at) : null
    if (expression !== null) found.push(new RegExp(expression[1] ?? '', expression[2]))
    const [token = ' '] = expression ?? matchAt(isInTemplate ? TEMPLATE : TOKEN, source, at) ?? []
    if (isInTemplate && token.startsWith('}')) braces.pop()
    if (isInTemplate && token.endsWith('{')) braces.push(0)
    const open = braces.pop()
    if (open !== undefined) braces.push(open + Number(token === '{') - Number(token === '}'))
    if (!isComment) code += token.length === 1 ? token : token.endsWith('${') ? '(' : 'x'
    at += token.length
  }
  return found
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}
