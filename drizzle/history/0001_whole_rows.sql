CREATE INDEX `generations_whole` ON `generations` (`source_id`,`generation`,`raw_end`,`chain`,`lines`,`erased_lines`,`last_at`);--> statement-breakpoint
CREATE INDEX `identity_whole` ON `identity` (`project_id`,`account_id`);--> statement-breakpoint
CREATE INDEX `owners_whole` ON `owners` (`owner_id`,`bytes`,`received_at`);--> statement-breakpoint
CREATE INDEX `segments_whole` ON `segments` (`id`,`source_id`,`generation`,`raw_start`,`raw_end`,`digest`,`chain`,`first_line`,`lines`,`rules`,`received_at`);--> statement-breakpoint
CREATE INDEX `sources_whole` ON `sources` (`id`,`owner_id`,`device`,`assistant`,`source_key`,`session_id`,`kind`,`parent_session_id`,`cwd`,`git_branch`,`app_version`,`title`,`first_at`,`last_at`,`created_at`,`received_at`,`active_at`,`generation`,`shown`,`lines`,`erased_at`,`closed_at`,`forgotten_at`);--> statement-breakpoint
CREATE INDEX `migrations_whole` ON `migrations` (`name`,`hash`,`applied_at`);