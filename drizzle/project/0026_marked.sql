DROP INDEX `records_by_workspace`;--> statement-breakpoint
ALTER TABLE `records` ADD `marked` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `records_marked` ON `records` (`seq`) WHERE marked = 1;--> statement-breakpoint
CREATE INDEX `records_by_workspace` ON `records` (`workspace_id`,`forgotten_at`,`status`,`superseded_by`,`source_hash`,`expires_at`,`refreshed_at`,`folded_key`,`verified_at`,`needs_review`,`marked`,`fact_key_given`,`row_check`,`length`);