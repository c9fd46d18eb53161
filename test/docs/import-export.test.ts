import { expect, test } from 'bun:test'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, openStartedCli } from '../run-cli.ts'
import { readBlocks } from './blocks.ts'

const PAGE = await Bun.file(join(import.meta.dir, '../../docs/import-export.md')).text()
const HOOK = readBlocks(PAGE).find(({ text }) => text.startsWith('#!/bin/sh'))?.text ?? ''
const GIT = Bun.which('git')

test.skipIf(GIT === null && !process.env.CI)(
  'the git hook of the documentation imports what a commit changes, and only that',
  async () => {
    const { folder, run } = await openStartedCli()
    await run(['project', 'add', 'shop'])
    const work = await makeFolder()
    const bin = await makeFolder()
    const put = async (file: string, text: string) => {
      await mkdir(join(file, '..'), { recursive: true })
      await writeFile(file, text)
      await chmod(file, 0o700)
    }
    await put(
      join(bin, 'memsvc'),
      `#!/bin/sh\nexec '${process.execPath}' '${join(import.meta.dir, '../../src/main.ts')}' "$@"\n`,
    )
    const person = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org']
    const git = (...words: string[]) => {
      const env = { PATH: `${bin}:${process.env.PATH}`, HOME: work, GIT_CONFIG_GLOBAL: '/dev/null' }
      const { exitCode, stderr, stdout } = Bun.spawnSync(['git', ...person, ...words], { cwd: work, env })
      if (exitCode !== 0) throw new Error(String(stderr))
      return `${stdout}${stderr}`
    }

    git('init', '-q')
    await put(join(work, '.git/hooks/post-commit'), HOOK.replace('/var/lib/memsvc', folder))
    await put(join(work, 'docs/release.md'), '# Release\n\nOn Tuesdays\n')
    git('add', 'docs')
    expect(git('commit', '-m', 'documents')).toContain('1 saved, 0 existed already')
    expect((await run(['record', 'list', '--project', 'shop'])).out).toContain('On Tuesdays')
    expect(git('commit', '--allow-empty', '-m', 'nothing')).not.toContain('existed already')
  },
)
