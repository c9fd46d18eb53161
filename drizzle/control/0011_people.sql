CREATE TABLE `browsers` (
	`digest` text PRIMARY KEY NOT NULL,
	`member_id` text NOT NULL,
	`used_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `browsers_by_member` ON `browsers` (`member_id`,`used_at`);--> statement-breakpoint
CREATE INDEX `browsers_by_use` ON `browsers` (`used_at`);--> statement-breakpoint
CREATE TABLE `address_wishes` (
	`member_id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`wished_at` integer NOT NULL
);
--> statement-breakpoint
DROP INDEX `members_by_email`;--> statement-breakpoint
CREATE UNIQUE INDEX `members_by_address` ON `members` (`account_id`,`email`) WHERE removed_at is null;--> statement-breakpoint
CREATE INDEX `members_by_email` ON `members` (`email`) WHERE removed_at is null;--> statement-breakpoint
CREATE INDEX `keys_unrevoked` ON `keys` (`member_id`,`project_id`,`expires_at`) WHERE revoked_at is null;--> statement-breakpoint
CREATE INDEX `audit_rejections` ON `audit` (`project_id`,details ->> 'scope',`seq`) WHERE act = 'record.reject';--> statement-breakpoint
CREATE INDEX `audit_rejections_by` ON `audit` (`project_id`,`actor`,`seq`) WHERE act = 'record.reject';