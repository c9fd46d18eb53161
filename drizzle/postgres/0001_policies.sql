-- The one row that every write of the control data locks.
insert into control_version (one, version) values (true, 0);
--> statement-breakpoint
-- Entries of the audit log can be added and purged, never changed.
create function refuse_change() returns trigger language plpgsql as $$ begin raise exception 'entries of the audit log are not changed'; end $$;
--> statement-breakpoint
create trigger audit_unchanged before update on audit for each row execute function refuse_change();
--> statement-breakpoint
-- The second wall around a project: a connection sees the rows of the one it named, whatever a statement says. Forced, so that it holds for the owner of the tables too.
alter table workspaces enable row level security;
--> statement-breakpoint
alter table workspaces force row level security;
--> statement-breakpoint
create policy one_project on workspaces using (project_id = current_setting('memsvc.project_id', true)) with check (project_id = current_setting('memsvc.project_id', true));
--> statement-breakpoint
alter table workspace_audiences enable row level security;
--> statement-breakpoint
alter table workspace_audiences force row level security;
--> statement-breakpoint
create policy one_project on workspace_audiences using (project_id = current_setting('memsvc.project_id', true)) with check (project_id = current_setting('memsvc.project_id', true));
--> statement-breakpoint
alter table records enable row level security;
--> statement-breakpoint
alter table records force row level security;
--> statement-breakpoint
create policy one_project on records using (project_id = current_setting('memsvc.project_id', true)) with check (project_id = current_setting('memsvc.project_id', true));
--> statement-breakpoint
alter table postings enable row level security;
--> statement-breakpoint
alter table postings force row level security;
--> statement-breakpoint
create policy one_project on postings using (project_id = current_setting('memsvc.project_id', true)) with check (project_id = current_setting('memsvc.project_id', true));
--> statement-breakpoint
alter table vocabulary enable row level security;
--> statement-breakpoint
alter table vocabulary force row level security;
--> statement-breakpoint
create policy one_project on vocabulary using (project_id = current_setting('memsvc.project_id', true)) with check (project_id = current_setting('memsvc.project_id', true));
--> statement-breakpoint
alter table recent_states enable row level security;
--> statement-breakpoint
alter table recent_states force row level security;
--> statement-breakpoint
create policy one_project on recent_states using (project_id = current_setting('memsvc.project_id', true)) with check (project_id = current_setting('memsvc.project_id', true));
--> statement-breakpoint
alter table imported_sources enable row level security;
--> statement-breakpoint
alter table imported_sources force row level security;
--> statement-breakpoint
create policy one_project on imported_sources using (project_id = current_setting('memsvc.project_id', true)) with check (project_id = current_setting('memsvc.project_id', true));
--> statement-breakpoint
alter table sources enable row level security;
--> statement-breakpoint
alter table sources force row level security;
--> statement-breakpoint
create policy one_project on sources using (project_id = current_setting('memsvc.project_id', true)) with check (project_id = current_setting('memsvc.project_id', true));
--> statement-breakpoint
alter table audience_stats enable row level security;
--> statement-breakpoint
alter table audience_stats force row level security;
--> statement-breakpoint
create policy one_project on audience_stats using (project_id = current_setting('memsvc.project_id', true)) with check (project_id = current_setting('memsvc.project_id', true));
--> statement-breakpoint
alter table languages enable row level security;
--> statement-breakpoint
alter table languages force row level security;
--> statement-breakpoint
create policy one_project on languages using (project_id = current_setting('memsvc.project_id', true)) with check (project_id = current_setting('memsvc.project_id', true));
--> statement-breakpoint
alter table releases enable row level security;
--> statement-breakpoint
alter table releases force row level security;
--> statement-breakpoint
create policy one_project on releases using (project_id = current_setting('memsvc.project_id', true)) with check (project_id = current_setting('memsvc.project_id', true));
--> statement-breakpoint
alter table project_state enable row level security;
--> statement-breakpoint
alter table project_state force row level security;
--> statement-breakpoint
create policy one_project on project_state using (project_id = current_setting('memsvc.project_id', true)) with check (project_id = current_setting('memsvc.project_id', true));
--> statement-breakpoint
alter table history_sources enable row level security;
--> statement-breakpoint
alter table history_sources force row level security;
--> statement-breakpoint
create policy one_project on history_sources using (project_id = current_setting('memsvc.project_id', true)) with check (project_id = current_setting('memsvc.project_id', true));
--> statement-breakpoint
alter table history_generations enable row level security;
--> statement-breakpoint
alter table history_generations force row level security;
--> statement-breakpoint
create policy one_project on history_generations using (project_id = current_setting('memsvc.project_id', true)) with check (project_id = current_setting('memsvc.project_id', true));
--> statement-breakpoint
alter table history_segments enable row level security;
--> statement-breakpoint
alter table history_segments force row level security;
--> statement-breakpoint
create policy one_project on history_segments using (project_id = current_setting('memsvc.project_id', true)) with check (project_id = current_setting('memsvc.project_id', true));
--> statement-breakpoint
alter table history_lines enable row level security;
--> statement-breakpoint
alter table history_lines force row level security;
--> statement-breakpoint
create policy one_project on history_lines using (project_id = current_setting('memsvc.project_id', true)) with check (project_id = current_setting('memsvc.project_id', true));
--> statement-breakpoint
alter table history_records enable row level security;
--> statement-breakpoint
alter table history_records force row level security;
--> statement-breakpoint
create policy one_project on history_records using (project_id = current_setting('memsvc.project_id', true)) with check (project_id = current_setting('memsvc.project_id', true));
--> statement-breakpoint
alter table history_blocks enable row level security;
--> statement-breakpoint
alter table history_blocks force row level security;
--> statement-breakpoint
create policy one_project on history_blocks using (project_id = current_setting('memsvc.project_id', true)) with check (project_id = current_setting('memsvc.project_id', true));
--> statement-breakpoint
alter table history_owners enable row level security;
--> statement-breakpoint
alter table history_owners force row level security;
--> statement-breakpoint
create policy one_project on history_owners using (project_id = current_setting('memsvc.project_id', true)) with check (project_id = current_setting('memsvc.project_id', true));
--> statement-breakpoint
alter table history_state enable row level security;
--> statement-breakpoint
alter table history_state force row level security;
--> statement-breakpoint
create policy one_project on history_state using (project_id = current_setting('memsvc.project_id', true)) with check (project_id = current_setting('memsvc.project_id', true));
