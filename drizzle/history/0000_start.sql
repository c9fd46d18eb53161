CREATE TABLE `blocks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`owner_id` text NOT NULL,
	`raw_bytes` integer NOT NULL,
	`stale` integer DEFAULT false NOT NULL,
	`data` blob NOT NULL
);
--> statement-breakpoint
CREATE INDEX `blocks_stale` ON `blocks` (`id`) WHERE stale = 1;--> statement-breakpoint
CREATE TABLE `generations` (
	`source_id` text NOT NULL,
	`generation` integer NOT NULL,
	`raw_end` integer NOT NULL,
	`chain` text NOT NULL,
	`lines` integer NOT NULL,
	`erased_lines` integer NOT NULL,
	`last_at` integer,
	PRIMARY KEY(`source_id`, `generation`)
);
--> statement-breakpoint
CREATE INDEX `generations_erased` ON `generations` (`source_id`,`generation`) WHERE erased_lines > 0;--> statement-breakpoint
CREATE TABLE `identity` (
	`project_id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `lines` (
	`id` integer PRIMARY KEY NOT NULL,
	`record` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `lines_by_record` ON `lines` (`record`);--> statement-breakpoint
CREATE TABLE `owners` (
	`owner_id` text PRIMARY KEY NOT NULL,
	`bytes` integer NOT NULL,
	`received_at` integer
);
--> statement-breakpoint
CREATE TABLE `records` (
	`id` integer PRIMARY KEY NOT NULL,
	`key` blob NOT NULL,
	`block` integer NOT NULL,
	`at` integer NOT NULL,
	`length` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `records_by_key` ON `records` (`key`);--> statement-breakpoint
CREATE INDEX `records_by_block` ON `records` (`block`,`at`);--> statement-breakpoint
CREATE TABLE `segments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`source_id` text NOT NULL,
	`generation` integer NOT NULL,
	`raw_start` integer NOT NULL,
	`raw_end` integer NOT NULL,
	`digest` text NOT NULL,
	`chain` text NOT NULL,
	`first_line` integer,
	`lines` integer NOT NULL,
	`rules` text NOT NULL,
	`received_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `segments_by_place` ON `segments` (`source_id`,`generation`,`raw_start`) WHERE first_line is not null;--> statement-breakpoint
CREATE INDEX `segments_by_line` ON `segments` (`source_id`,`generation`,`first_line`) WHERE first_line is not null;--> statement-breakpoint
CREATE INDEX `segments_unkept` ON `segments` (`received_at`) WHERE first_line is null;--> statement-breakpoint
CREATE TABLE `sources` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`device` text NOT NULL,
	`assistant` text NOT NULL,
	`source_key` text NOT NULL,
	`session_id` text NOT NULL,
	`kind` text NOT NULL,
	`parent_session_id` text,
	`cwd` text,
	`git_branch` text,
	`app_version` text,
	`title` text,
	`first_at` integer,
	`last_at` integer,
	`created_at` integer NOT NULL,
	`received_at` integer,
	`active_at` integer NOT NULL,
	`generation` integer NOT NULL,
	`shown` integer NOT NULL,
	`lines` integer NOT NULL,
	`erased_at` integer,
	`closed_at` integer,
	`forgotten_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sources_by_key` ON `sources` (`owner_id`,`assistant`,`source_key`) WHERE forgotten_at is null;--> statement-breakpoint
CREATE INDEX `sources_by_activity` ON `sources` (`owner_id`,`active_at`,`id`) WHERE lines > 0 and forgotten_at is null;--> statement-breakpoint
CREATE INDEX `sources_by_parent` ON `sources` (`owner_id`,`assistant`,`parent_session_id`) WHERE kind = 'subagent' and lines > 0;--> statement-breakpoint
CREATE INDEX `sources_by_arrival` ON `sources` (`received_at`) WHERE lines > 0 and forgotten_at is null;--> statement-breakpoint
CREATE INDEX `sources_forgotten` ON `sources` (`forgotten_at`) WHERE forgotten_at is not null;