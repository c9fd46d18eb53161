import { defineConfig } from 'drizzle-kit'

// Two kinds of file, two histories: `KIND=control` (the default) or `KIND=project` before `bunx drizzle-kit generate`.
const kind = process.env.KIND === 'project' ? 'project' : 'control'
const folder = './src/store/sqlite/schema'
const schema =
  kind === 'project'
    ? [`${folder}/project.ts`, `${folder}/workspace-audience.ts`, `${folder}/allowed.ts`]
    : [`${folder}/control.ts`, `${folder}/audit.ts`, `${folder}/invitation.ts`, `${folder}/oauth.ts`, `${folder}/integration.ts`]

export default defineConfig({
  dialect: 'sqlite',
  casing: 'snake_case',
  schema,
  out: `./drizzle/${kind}`,
})
