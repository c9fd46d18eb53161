import { defineConfig } from 'drizzle-kit'

// Two kinds of file, two histories: `KIND=control` (the default) or `KIND=project` before `bunx drizzle-kit generate`.
const kind = process.env.KIND === 'project' ? 'project' : 'control'

export default defineConfig({
  dialect: 'sqlite',
  casing: 'snake_case',
  schema: `./src/store/sqlite/schema/${kind}.ts`,
  out: `./drizzle/${kind}`,
})
