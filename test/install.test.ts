import { expect, test } from 'bun:test'
import { copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import manifest from '../package.json'
import { makeFolder } from './run-cli.ts'

const ROOT = join(import.meta.dir, '..')

/** A checkout of two tests, whose one package lies in it. */
async function makeCheckout() {
  const folder = await makeFolder()
  const write = (path: string, text: string) => Bun.write(join(folder, path), text)
  await write('package.json', JSON.stringify({ devDependencies: { 'fast-check': 'file:./package' } }))
  await write('package/package.json', JSON.stringify({ name: 'fast-check', version: '1.0.0', main: 'index.js' }))
  await write('package/index.js', 'export const word = "installed"')
  await write('bunfig.toml', '[test]\nroot = "test"\npreload = ["./test/install.ts"]\n')
  for (const name of ['one', 'two']) {
    const check = `test('${name} is told of', async () => expect((await import('fast-check')).word).toBe('installed'))`
    await write(
      `test/${name}.test.ts`,
      `import { expect, test } from 'bun:test'\n${check}\ntest('${name} more', () => {})\n`,
    )
  }
  await copyFile(join(ROOT, 'test/install.ts'), join(folder, 'test/install.ts'))
  const bun = (...words: string[]) => {
    const { exitCode, stderr } = Bun.spawnSync([process.execPath, ...words], {
      cwd: folder,
      stdout: 'ignore',
      stderr: 'pipe',
    })
    const passed = [...stderr.toString().matchAll(/\(pass\) ([\w ]+\w)/g)].map(([, name]) => name).toSorted()
    return { exitCode, passed }
  }
  bun('install')
  return { bun, removePackages: () => rm(join(folder, 'node_modules'), { recursive: true }) }
}

test('in a checkout without packages bun test installs them and runs the tests that it was asked for', async () => {
  const { bun, removePackages } = await makeCheckout()
  await removePackages()
  expect(bun('test', 'test/one.test.ts')).toEqual({ exitCode: 0, passed: ['one is told of', 'one more'] })
  expect(bun('test', '-t', 'told of')).toEqual({ exitCode: 0, passed: ['one is told of', 'two is told of'] })
  await removePackages()
  expect(bun('test', '-t', 'told of')).toEqual({ exitCode: 0, passed: ['one is told of', 'two is told of'] })
})

test('every script that builds something installs what it needs before', () => {
  const scripts = Object.entries(manifest.scripts).filter(([, command]) => command.includes('bun bin/'))
  expect(scripts.map(([name]) => name).toSorted()).toEqual(['build', 'build:mcpb', 'build:package', 'release'])
  for (const [name, command] of scripts)
    expect([name, command.startsWith('bun run packages && ')]).toEqual([name, true])
})
