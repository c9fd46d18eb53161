DROP INDEX `records_by_workspace`;--> statement-breakpoint
ALTER TABLE `records` ADD `row_check` integer;--> statement-breakpoint
CREATE INDEX `records_by_workspace` ON `records` (`workspace_id`,`forgotten_at`,`status`,`superseded_by`,`source_hash`,`expires_at`,`refreshed_at`,`folded_key`,`verified_at`,`needs_review`,`fact_key_given`,`row_check`,`length`);--> statement-breakpoint
CREATE INDEX `identity_whole` ON `identity` (`project_id`,`account_id`);--> statement-breakpoint
CREATE INDEX `languages_whole` ON `languages` (`workspace_id`,`audience`,`language`,`records`);--> statement-breakpoint
CREATE INDEX `releases_whole` ON `releases` (`hash`,`state`,`text`,`reason`,`why`,`asked_by`,`asked_at`,`decided_by`,`decided_at`);--> statement-breakpoint
CREATE INDEX `sources_whole` ON `sources` (`workspace_id`,`source_id`,`audience`,`hash`,`turn`);--> statement-breakpoint
CREATE INDEX `workspace_audiences_whole` ON `workspace_audiences` (`workspace_id`,`audience`,`name`);--> statement-breakpoint
CREATE INDEX `workspaces_whole` ON `workspaces` (`id`,`name`,`created_at`,`removed_at`);--> statement-breakpoint
CREATE INDEX `migrations_whole` ON `migrations` (`name`,`hash`,`applied_at`);--> statement-breakpoint
-- What FTS5 keeps of each entry, which its own check does not look at.
CREATE INDEX `word_index_docsize_whole` ON `word_index_docsize` (`origin`,`sz`);