DROP INDEX `keys_by_project`;--> statement-breakpoint
DROP INDEX `keys_by_member`;--> statement-breakpoint
CREATE INDEX `keys_unrevoked_by_project` ON `keys` (`project_id`,`created_at`) WHERE revoked_at is null;--> statement-breakpoint
CREATE INDEX `keys_by_project` ON `keys` (`project_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `keys_by_member` ON `keys` (`member_id`,`project_id`,`created_at`);