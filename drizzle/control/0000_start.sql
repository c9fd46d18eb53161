CREATE TABLE `accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`plan` text NOT NULL,
	`limits` text NOT NULL,
	`subscribed_at` integer,
	`subscribed_until` integer,
	`suspended_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_name_unique` ON `accounts` (`name`);--> statement-breakpoint
CREATE TABLE `departments` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `departments_by_name` ON `departments` (`account_id`,`name`);--> statement-breakpoint
CREATE TABLE `keys` (
	`id` text PRIMARY KEY NOT NULL,
	`digest` text NOT NULL,
	`shown` text NOT NULL,
	`label` text NOT NULL,
	`project_id` text NOT NULL,
	`member_id` text,
	`tool_names` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`revoked_at` integer,
	`last_used_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `keys_digest_unique` ON `keys` (`digest`);--> statement-breakpoint
CREATE INDEX `keys_by_project` ON `keys` (`project_id`);--> statement-breakpoint
CREATE TABLE `members` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`role` text NOT NULL,
	`department_id` text,
	`created_at` integer NOT NULL,
	`removed_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `members_by_email` ON `members` (`email`) WHERE removed_at is null;--> statement-breakpoint
CREATE INDEX `members_by_account` ON `members` (`account_id`);--> statement-breakpoint
CREATE TABLE `projects` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`made_at` integer,
	`removed_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `projects_by_name` ON `projects` (`account_id`,`name`) WHERE removed_at is null;