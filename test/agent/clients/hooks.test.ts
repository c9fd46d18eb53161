import { expect, test } from 'bun:test'
import { toHookCommand } from '../../../src/agent/clients/hooks.ts'

test.each(['/opt/memsvc', '/home/a b/memsvc', '/home/$USER/`id`/memsvc', `/home/it's $5/"x"/memsvc`])(
  'a shell starts the program of a hook at %s',
  (path) => {
    const command = toHookCommand([path], 'session-start', 'codex')
    const { stdout } = Bun.spawnSync(['/bin/sh', '-c', `printf '%s\\n' ${command}`])
    expect(stdout.toString().split('\n')[0]).toBe(path)
  },
)
