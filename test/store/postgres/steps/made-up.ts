/**
 * Steps of versions that are not there. The first adds what a step may add: a column to every table, a table and an
 * index.
 */
export const NEXT_STEP = {
  name: '9998_made_up',
  hash: 'made up',
  sql: `do $$ declare found record; begin
    for found in select tablename from pg_tables where schemaname = current_schema() and tablename <> 'migrations' loop
      execute format('alter table %I add column made_up text not null default %L', found.tablename, 'made up');
    end loop;
  end $$;
  create table made_up (project_id text not null, made_up text);
  create index made_up_records on records (project_id, made_up)`,
}

export const STEP_AFTER_NEXT = { name: '9999_made_up', hash: 'made up too', sql: 'create table made_up_too ()' }
