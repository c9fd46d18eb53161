CREATE TABLE `blocks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`source_id` text NOT NULL,
	`stale` integer DEFAULT false NOT NULL,
	`data` blob NOT NULL
);
--> statement-breakpoint
CREATE INDEX `blocks_stale` ON `blocks` (`id`) WHERE stale;--> statement-breakpoint
CREATE TABLE `identity` (
	`project_id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `identity_whole` ON `identity` (`project_id`,`account_id`);--> statement-breakpoint
CREATE TABLE `lines` (
	`id` integer PRIMARY KEY NOT NULL,
	`key` blob NOT NULL,
	`hash` blob NOT NULL,
	`block` integer NOT NULL,
	`at` integer NOT NULL,
	`length` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `lines_by_key` ON `lines` (`key`);--> statement-breakpoint
CREATE INDEX `lines_by_block` ON `lines` (`block`,`at`);--> statement-breakpoint
CREATE TABLE `owners` (
	`owner_id` text PRIMARY KEY NOT NULL,
	`bytes` integer NOT NULL,
	`agreed_at` integer
);
--> statement-breakpoint
CREATE INDEX `owners_whole` ON `owners` (`owner_id`,`bytes`,`agreed_at`);--> statement-breakpoint
CREATE TABLE `sources` (
	`id` text PRIMARY KEY NOT NULL,
	`number` integer NOT NULL,
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
	`chain` text NOT NULL,
	`last_id` text,
	`since_id` integer NOT NULL,
	`lines` integer NOT NULL,
	`last_line` integer NOT NULL,
	`erased_lines` integer NOT NULL,
	`erased_at` integer,
	`closed_at` integer,
	`forgotten_at` integer,
	`examined_line` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sources_whole` ON `sources` (`id`,`number`,`owner_id`,`device`,`assistant`,`source_key`,`session_id`,`kind`,`parent_session_id`,`cwd`,`git_branch`,`app_version`,`title`,`first_at`,`last_at`,`created_at`,`received_at`,`active_at`,`chain`,`last_id`,`since_id`,`lines`,`last_line`,`erased_lines`,`erased_at`,`closed_at`,`forgotten_at`,`examined_line`);--> statement-breakpoint
CREATE UNIQUE INDEX `sources_by_number` ON `sources` (`number`);--> statement-breakpoint
CREATE UNIQUE INDEX `sources_by_key` ON `sources` (`owner_id`,`assistant`,`source_key`) WHERE forgotten_at is null;--> statement-breakpoint
CREATE INDEX `sources_by_activity` ON `sources` (`owner_id`,`active_at`,`id`) WHERE lines > 0 and forgotten_at is null;--> statement-breakpoint
CREATE INDEX `sources_by_session` ON `sources` (`owner_id`,`session_id`,`id`) WHERE lines > 0 and forgotten_at is null;--> statement-breakpoint
CREATE INDEX `sources_by_parent` ON `sources` (`owner_id`,`assistant`,`parent_session_id`) WHERE kind = 'subagent' and lines > 0;--> statement-breakpoint
CREATE INDEX `sources_by_arrival` ON `sources` (`received_at`) WHERE lines > 0 and forgotten_at is null;--> statement-breakpoint
CREATE INDEX `sources_erased` ON `sources` (`number`) WHERE erased_lines > 0 or forgotten_at is not null;--> statement-breakpoint
CREATE INDEX `sources_unexamined` ON `sources` (`owner_id`,`active_at`) WHERE kind = 'main' and lines > 0 and forgotten_at is null and examined_line < last_line;--> statement-breakpoint
CREATE TABLE `suggestions` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`source_id` text NOT NULL,
	`line` integer NOT NULL,
	`state` text NOT NULL,
	`text` text NOT NULL,
	`terms` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `suggestions_whole` ON `suggestions` (`id`,`owner_id`,`source_id`,`line`,`state`,`text`,`terms`,`created_at`);--> statement-breakpoint
CREATE INDEX `suggestions_by_owner` ON `suggestions` (`owner_id`,`state`,`created_at`);--> statement-breakpoint
CREATE INDEX `suggestions_by_source` ON `suggestions` (`source_id`);--> statement-breakpoint
CREATE INDEX `migrations_whole` ON `migrations` (`name`,`hash`,`applied_at`);--> statement-breakpoint
CREATE TABLE `passages` (
	`id` integer PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`first` integer NOT NULL,
	`last` integer NOT NULL,
	`rules` integer NOT NULL,
	`lines` blob NOT NULL
);
--> statement-breakpoint
-- Which passage has which words, without positions.
CREATE VIRTUAL TABLE word_index USING fts5(terms, content='', contentless_delete=1, detail=none, tokenize="ascii");--> statement-breakpoint
-- What FTS5 keeps of each entry, which its own check does not look at.
CREATE INDEX `word_index_docsize_whole` ON `word_index_docsize` (`origin`,`sz`);