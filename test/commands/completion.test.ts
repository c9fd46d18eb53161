import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { makeFolder, openCli } from '../run-cli.ts'

// Where checks run for others the shells must be there, as the browser must.
const isAbsent = (shell: string) => Bun.which(shell) === null && process.env.CI === undefined

async function writeScript(shell: string): Promise<string> {
  const { status, out } = await (await openCli()).run(['completion', shell])
  if (status !== 0) throw new Error(`no script for ${shell}`)
  const script = join(await makeFolder(), `memsvc.${shell}`)
  await Bun.write(script, out)
  return script
}

/** Runs a command and returns what it prints. */
async function run(...words: string[]): Promise<string> {
  const child = Bun.spawn(words, { stdout: 'pipe', stderr: 'pipe', stdin: 'ignore' })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return out + err
}

/** Of typed words, the last in part: what a shell offers for it. */
const OFFERED: [typed: string[], offered: string[]][] = [
  [['comp'], ['completion']],
  [['record', 'l'], ['list']],
  [['record', 'list', '--proj'], ['--project']],
  [['key', 'issue', '--under'], ['--underscored']],
  [
    ['account', 'credentials', '--set', ''],
    ['allow', 'mask', 'reject'],
  ],
  [['member', 'add', '--role', 'a'], ['admin']],
  [
    ['completion', ''],
    ['bash', 'fish', 'zsh'],
  ],
]

test.skipIf(isAbsent('bash'))('bash completes commands, options and their values', async () => {
  const script = await writeScript('bash')
  const complete = async (words: string[]) => {
    const act = `source ${script}; COMP_WORDS=(memsvc "$@"); COMP_CWORD=$#; _memsvc; printf '%s\n' "\${COMPREPLY[@]}"`
    return (await run('bash', '-c', act, 'bash', ...words)).trim().split('\n').sort()
  }
  for (const [typed, offered] of OFFERED) expect([typed, await complete(typed)]).toEqual([typed, offered])
  expect(await complete(['member', 'add', '--role', '=', 'm'])).toEqual(['member'])
  // Nothing, for which bash itself offers files.
  expect(await complete(['import', ''])).toEqual([''])
  expect(await complete(['serve', '--data', ''])).toEqual([''])
})

test.skipIf(isAbsent('fish'))('fish completes commands, options and their values, and files where any text may stand', async () => {
  const script = await writeScript('fish')
  const complete = async (words: string[]) => {
    const line = `memsvc ${words.join(' ')}`
    const out = await run('fish', '--no-config', '-c', `cd ${join(script, '..')}; source ${script}; complete -C ${JSON.stringify(line)}`)
    return out
      .trim()
      .split('\n')
      .map((one) => one.split('\t')[0])
      .sort()
  }
  for (const [typed, offered] of OFFERED) expect([typed, await complete(typed)]).toEqual([typed, offered])
  expect(await complete(['import', ''])).toContain('memsvc.fish')
  expect(await complete(['serve', '--data', ''])).toContain('memsvc.fish')
  expect(await complete(['record', ''])).not.toContain('memsvc.fish')
})

/** Types into a zsh of its own, where the program prints its arguments. */
const IN_ZSH = `
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'autoload -Uz compinit; compinit -u -D; memsvc() { print -r -- "got""<\${(j:|:)@}>" }; cd '$2
zpty -w shell "source $1"
shift 2
for typed in "$@"; do
  zpty -w -n shell "memsvc $typed"$'\\t\\n'
  zpty -r shell out '*got<*>*'
  print -r -- "\${\${out##*got<}%%>*}"
done
zpty -d shell
`

test.skipIf(isAbsent('zsh'))('zsh completes commands, options and their values, and files where any text may stand', async () => {
  const script = await writeScript('zsh')
  const certain = OFFERED.filter(([, { length }]) => length === 1)
  const typed = [...certain.map(([words]) => words.join(' ')), 'import memsv', 'serve --data memsv']
  const out = await run('zsh', '-f', '-c', IN_ZSH, 'zsh', script, join(script, '..'), ...typed)
  const completed = certain.map(([words, [offered = '']]) => [...words.slice(0, -1), offered].join('|'))
  expect(out.trim().split('\n')).toEqual([...completed, 'import|memsvc.zsh', 'serve|--data|memsvc.zsh'])
})

test('every command and option of the program is in every script', async () => {
  const cli = await openCli()
  const [bash, zsh, fish] = await Promise.all(['bash', 'zsh', 'fish'].map(async (shell) => (await cli.run(['completion', shell])).out))
  const { out: help } = await cli.run(['--help'])
  const commands = [...help.matchAll(/^ {2}([a-z]+) /gm)].map(([, name = '']) => name)
  expect(commands.length).toBeGreaterThan(15)
  for (const name of [...commands, '--explain', '--overlap']) {
    for (const script of [bash, zsh]) expect(script).toContain(name)
    expect(fish).toContain(name.replace(/^--/, '-l '))
  }
})
