ALTER TABLE `records` ADD `refreshed_at` integer;--> statement-breakpoint
ALTER TABLE `records` ADD `saved_at` integer GENERATED ALWAYS AS (coalesce(refreshed_at, created_at)) VIRTUAL;--> statement-breakpoint
ALTER TABLE `records` ADD `source_name` text GENERATED ALWAYS AS (substr(rtrim(source_id, '/'), length(rtrim(rtrim(source_id, '/'), replace(source_id, '/', ''))) + 1)) VIRTUAL;--> statement-breakpoint
CREATE INDEX `records_by_saved` ON `records` (`saved_at`,`seq`,`workspace_id`,`audience`) WHERE forgotten_at is null;--> statement-breakpoint
CREATE INDEX `records_by_source_name` ON `records` (source_name collate nocase) WHERE source_id is not null and forgotten_at is null;