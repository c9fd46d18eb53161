CREATE TABLE `records` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`workspace_id` integer NOT NULL,
	`audience` text NOT NULL,
	`author_id` text NOT NULL,
	`content` text NOT NULL,
	`content_hash` integer NOT NULL,
	`fact_key` text NOT NULL,
	`fact_key_given` integer NOT NULL,
	`status` text NOT NULL,
	`superseded_by` text,
	`source_id` text,
	`source_hash` text,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`forgotten_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `records_id_unique` ON `records` (`id`);--> statement-breakpoint
CREATE INDEX `records_by_content` ON `records` (`content_hash`);--> statement-breakpoint
CREATE INDEX `records_by_fact_key` ON `records` (`workspace_id`,`fact_key`) WHERE fact_key_given = 1;--> statement-breakpoint
CREATE INDEX `records_by_source` ON `records` (`workspace_id`,`source_id`) WHERE source_id is not null;--> statement-breakpoint
CREATE INDEX `records_by_forgotten` ON `records` (`forgotten_at`) WHERE forgotten_at is not null;--> statement-breakpoint
CREATE TABLE `sources` (
	`workspace_id` integer NOT NULL,
	`source_id` text NOT NULL,
	`audience` text NOT NULL,
	`hash` text NOT NULL,
	`turn` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `source_id`, `audience`)
);
--> statement-breakpoint
CREATE TABLE `usage` (
	`id` integer PRIMARY KEY NOT NULL,
	`records` integer NOT NULL,
	`content_bytes` integer NOT NULL,
	`turn` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `workspaces` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`removed_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `workspaces_by_name` ON `workspaces` (`name`) WHERE removed_at is null;