CREATE TABLE `enabled_integrations` (
	`integration_id` text NOT NULL,
	`project_id` text NOT NULL,
	PRIMARY KEY(`integration_id`, `project_id`)
);
--> statement-breakpoint
CREATE INDEX `enabled_by_project` ON `enabled_integrations` (`project_id`);--> statement-breakpoint
CREATE TABLE `integrations` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`slug` text NOT NULL,
	`name` text NOT NULL,
	`url` text NOT NULL,
	`headers` text NOT NULL,
	`mode` text NOT NULL,
	`tools` text,
	`timeout_ms` integer NOT NULL,
	`max_bytes` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `integrations_by_slug` ON `integrations` (`account_id`,`slug`);--> statement-breakpoint
CREATE TABLE `tool_lists` (
	`integration_id` text PRIMARY KEY NOT NULL,
	`tools` text NOT NULL,
	`ttl_ms` integer NOT NULL,
	`fetched_at` integer NOT NULL
);
