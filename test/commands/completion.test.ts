import { expect, test } from 'bun:test'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, openCli } from '../run-cli.ts'

// Where checks run for others the shells must be there, as the browser must.
const isAbsent = (shell: string) => Bun.which(shell) === null && process.env.CI === undefined

/**
 * A folder with a shell's script, and a program of the right name that gives the answers of ours: starting it anew for
 * each would take seconds.
 */
async function writeScript(shell: string): Promise<{ script: string; folder: string }> {
  const { run } = await openCli()
  const folder = await makeFolder()
  const script = join(folder, `memsvc.${shell}`)
  await Bun.write(script, (await run(['completion', shell])).out)
  for (const words of TYPED) {
    const asked = ['completion', shell, '--', ...words]
    await Bun.write(join(folder, 'answers', asked.join(' ')), (await run(asked)).out)
  }
  const program = join(folder, 'bin', 'memsvc')
  await Bun.write(program, '#!/bin/sh\ncat "$(dirname "$0")/../answers/$*"\n')
  await chmod(program, 0o755)
  return { script, folder }
}

/** Runs a command and returns what it prints. */
async function run(folder: string, ...words: string[]): Promise<string> {
  const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}` }
  const child = Bun.spawn(words, { env, stdout: 'pipe', stderr: 'pipe', stdin: 'ignore' })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return out + err
}

/** Of typed words, the last in part: what a shell offers for it. */
const OFFERED: [typed: string[], offered: string[]][] = [
  [['comp'], ['completion']],
  [['record', 'l'], ['list']],
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

const TYPED = [
  ...OFFERED.map(([typed]) => typed),
  ['member', 'add', '--role', '=', 'm'],
  ['import', ''],
  ['import', 'memsv'],
  ['serve', '--data', ''],
  ['serve', '--data', 'memsv'],
  ['record', ''],
]

test.skipIf(isAbsent('bash'))('bash completes commands, options and their values', async () => {
  const { script, folder } = await writeScript('bash')
  const complete = async (words: string[]) => {
    const act = `source ${script}; COMP_WORDS=(memsvc "$@"); COMP_CWORD=$#; _memsvc; printf '%s\n' "\${COMPREPLY[@]}"`
    return (await run(folder, 'bash', '-c', act, 'bash', ...words)).trim().split('\n').sort()
  }
  for (const [typed, offered] of OFFERED) expect([typed, await complete(typed)]).toEqual([typed, offered])
  expect(await complete(['member', 'add', '--role', '=', 'm'])).toEqual(['member'])
  // Nothing, for which bash itself offers files.
  expect(await complete(['import', ''])).toEqual([''])
  expect(await complete(['serve', '--data', ''])).toEqual([''])
})

test.skipIf(isAbsent('fish'))(
  'fish completes commands, options and their values, and files where any text may stand',
  async () => {
    const { script, folder } = await writeScript('fish')
    const complete = async (words: string[]) => {
      const line = `memsvc ${words.join(' ')}`
      const out = await run(
        folder,
        'fish',
        '--no-config',
        '-c',
        `cd ${folder}; source ${script}; complete -C ${JSON.stringify(line)}`,
      )
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
  },
)

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

test.skipIf(isAbsent('zsh'))(
  'zsh completes commands, options and their values, and files where any text may stand',
  async () => {
    const { script, folder } = await writeScript('zsh')
    const certain = OFFERED.filter(([, { length }]) => length === 1)
    const typed = [...certain.map(([words]) => words.join(' ')), 'import memsv', 'serve --data memsv']
    const out = await run(folder, 'zsh', '-f', '-c', IN_ZSH, 'zsh', script, folder, ...typed)
    const completed = certain.map(([words, [offered = '']]) => [...words.slice(0, -1), offered].join('|'))
    expect(out.trim().split('\n')).toEqual([...completed, 'import|memsvc.zsh', 'serve|--data|memsvc.zsh'])
  },
)

test('what may stand in a place: every command and option, the values of an option or an argument, and files where any text may', async () => {
  const cli = await openCli()
  const offered = async (...words: string[]) => {
    const { out } = await cli.run(['completion', 'zsh', '--', ...words])
    return out
      .trim()
      .split('\n')
      .map((line) => line.split(':')[0] || line)
  }
  const { out: help } = await cli.run(['--help'])
  const commands = [...help.matchAll(/^ {2}([a-z]+) /gm)].map(([, name = '']) => name)
  expect(commands.length).toBeGreaterThan(15)
  expect(await offered('comp')).toEqual(expect.arrayContaining(commands))
  expect(await offered('record', 'list', '--proj')).toEqual(
    expect.arrayContaining(['--project', '--forgotten', '--json']),
  )
  expect(await offered('account', 'credentials', '--set', '')).toEqual(['reject', 'mask', 'allow'])
  expect(await offered('member', 'add', '--role', '=', 'm')).toEqual(['owner', 'admin', 'member'])
  expect(await offered('import', '')).toEqual([':files'])
  expect(await offered('serve', '--data', '')).toEqual([':files'])
  expect(await offered('record', '')).not.toContain(':files')
})
