DROP INDEX `records_beside`;--> statement-breakpoint
DROP INDEX `records_by_saved`;--> statement-breakpoint
CREATE INDEX `records_by_expiry` ON `records` (`expires_at`) WHERE expires_at is not null and forgotten_at is null;--> statement-breakpoint
CREATE INDEX `records_beside` ON `records` (`workspace_id`,`source_id`,`audience`,`seq`,`status`,`source_hash`,`expires_at`,`saved_at`) WHERE source_id is not null and forgotten_at is null;--> statement-breakpoint
CREATE INDEX `records_by_saved` ON `records` (`saved_at`,`seq`,`workspace_id`,`audience`,`status`,`author_id`,`expires_at`) WHERE forgotten_at is null;