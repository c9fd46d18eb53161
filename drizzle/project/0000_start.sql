CREATE TABLE `audience_stats` (
	`workspace_id` integer NOT NULL,
	`audience` text NOT NULL,
	`records` integer NOT NULL,
	`length` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `audience`)
);
--> statement-breakpoint
CREATE TABLE `identity` (
	`project_id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `identity_whole` ON `identity` (`project_id`,`account_id`);--> statement-breakpoint
CREATE TABLE `imported_sources` (
	`root` text NOT NULL,
	`workspace_id` integer NOT NULL,
	`source_id` text NOT NULL,
	PRIMARY KEY(`root`, `workspace_id`, `source_id`)
);
--> statement-breakpoint
CREATE INDEX `imported_sources_by_workspace` ON `imported_sources` (`workspace_id`,`source_id`);--> statement-breakpoint
CREATE TABLE `indexing` (
	`id` integer PRIMARY KEY NOT NULL,
	`rules` integer NOT NULL,
	`target` integer NOT NULL,
	`reached` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `languages` (
	`workspace_id` integer NOT NULL,
	`audience` text NOT NULL,
	`language` text NOT NULL,
	`records` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `audience`, `language`)
);
--> statement-breakpoint
CREATE TABLE `questions` (
	`id` text PRIMARY KEY NOT NULL,
	`text` text,
	`asked` integer NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `questions_whole` ON `questions` (`id`,`text`,`asked`,`at`);--> statement-breakpoint
CREATE TABLE `recent_states` (
	`record_id` text NOT NULL,
	`hash` text NOT NULL,
	`saved_at` integer NOT NULL,
	PRIMARY KEY(`record_id`, `hash`)
);
--> statement-breakpoint
CREATE INDEX `recent_states_by_time` ON `recent_states` (`saved_at`);--> statement-breakpoint
CREATE TABLE `records` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`workspace_id` integer NOT NULL,
	`audience` text NOT NULL,
	`author_id` text NOT NULL,
	`key_hash` integer NOT NULL,
	`content_hash` integer NOT NULL,
	`save_hash` integer NOT NULL,
	`row_check` integer NOT NULL,
	`length` integer NOT NULL,
	`language` text NOT NULL,
	`fact_key` text NOT NULL,
	`fact_key_given` integer NOT NULL,
	`status` text NOT NULL,
	`superseded_by` text,
	`source_id` text,
	`source_hash` text,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`forgotten_at` integer,
	`refreshed_at` integer,
	`saved_at` integer GENERATED ALWAYS AS (coalesce(refreshed_at, created_at)) VIRTUAL,
	`source_name` text GENERATED ALWAYS AS (lower(substr(rtrim(source_id, '/'), length(rtrim(rtrim(source_id, '/'), replace(source_id, '/', ''))) + 1))) VIRTUAL,
	`verified_at` integer,
	`ranked_at` integer GENERATED ALWAYS AS (coalesce(verified_at, created_at)) VIRTUAL,
	`needs_review` integer NOT NULL,
	`marked` integer NOT NULL,
	`asked_as` text,
	`codes` blob,
	`content` text NOT NULL,
	CONSTRAINT "flags" CHECK(fact_key_given in (0, 1) and needs_review in (0, 1) and marked in (0, 1))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `records_id_unique` ON `records` (`id`);--> statement-breakpoint
CREATE INDEX `records_by_workspace` ON `records` (`workspace_id`,`forgotten_at`);--> statement-breakpoint
CREATE INDEX `records_by_key` ON `records` (`key_hash`,`workspace_id`,`audience`,`status`,`content_hash`,`save_hash`,`seq`,`ranked_at`,`fact_key_given`,`expires_at`) WHERE forgotten_at is null;--> statement-breakpoint
CREATE INDEX `records_superseded` ON `records` (`key_hash`,`workspace_id`,`audience`,`ranked_at`,`seq`,`content_hash`,`verified_at`) WHERE status = 'superseded' and fact_key_given and forgotten_at is null;--> statement-breakpoint
CREATE INDEX `records_forgotten_by_key` ON `records` (`key_hash`,`workspace_id`,`audience`,`forgotten_at`,`seq`) WHERE fact_key_given and forgotten_at is not null;--> statement-breakpoint
CREATE INDEX `records_by_superseder` ON `records` (`superseded_by`) WHERE superseded_by is not null;--> statement-breakpoint
CREATE INDEX `records_by_source` ON `records` (`workspace_id`,`source_id`,`audience`,`seq`,`status`,`source_hash`,`expires_at`,`saved_at`) WHERE source_id is not null and forgotten_at is null;--> statement-breakpoint
CREATE INDEX `records_by_forgotten` ON `records` (`forgotten_at`,`seq`,`audience`) WHERE forgotten_at is not null;--> statement-breakpoint
CREATE INDEX `records_to_review` ON `records` (`forgotten_at`) WHERE needs_review;--> statement-breakpoint
CREATE INDEX `records_marked` ON `records` (`seq`) WHERE marked;--> statement-breakpoint
CREATE INDEX `records_by_status` ON `records` (`status`,`seq`,`workspace_id`,`key_hash`,`audience`,`content_hash`,`fact_key_given`) WHERE status <> 'unverified' and forgotten_at is null;--> statement-breakpoint
CREATE INDEX `records_by_audience` ON `records` (`audience`) WHERE audience <> '*' and forgotten_at is null;--> statement-breakpoint
CREATE INDEX `records_by_saved` ON `records` (`saved_at`,`seq`,`workspace_id`,`audience`,`status`,`author_id`,`expires_at`) WHERE forgotten_at is null;--> statement-breakpoint
CREATE INDEX `records_by_expiry` ON `records` (`expires_at`,`status`,`audience`,`workspace_id`) WHERE expires_at is not null and forgotten_at is null;--> statement-breakpoint
CREATE INDEX `records_by_source_name` ON `records` (`source_name`) WHERE source_id is not null and forgotten_at is null;--> statement-breakpoint
CREATE TABLE `releases` (
	`hash` text PRIMARY KEY NOT NULL,
	`state` text NOT NULL,
	`text` text,
	`reason` text,
	`why` text,
	`asked_by` text,
	`asked_at` integer,
	`decided_by` text,
	`decided_at` integer
);
--> statement-breakpoint
CREATE INDEX `releases_whole` ON `releases` (`hash`,`state`,`text`,`reason`,`why`,`asked_by`,`asked_at`,`decided_by`,`decided_at`);--> statement-breakpoint
CREATE INDEX `releases_by_state` ON `releases` (`state`,`asked_by`);--> statement-breakpoint
CREATE TABLE `sources` (
	`workspace_id` integer NOT NULL,
	`source_id` text NOT NULL,
	`audience` text NOT NULL,
	`hash` text NOT NULL,
	`save_sequence` integer NOT NULL,
	`hashes` text DEFAULT '[]' NOT NULL,
	PRIMARY KEY(`workspace_id`, `source_id`, `audience`)
);
--> statement-breakpoint
CREATE INDEX `sources_whole` ON `sources` (`workspace_id`,`source_id`,`audience`,`hash`,`save_sequence`,`hashes`);--> statement-breakpoint
CREATE TABLE `usage` (
	`id` integer PRIMARY KEY NOT NULL,
	`records` integer NOT NULL,
	`content_bytes` integer NOT NULL,
	`removals` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `workspace_audiences` (
	`workspace_id` integer NOT NULL,
	`audience` text NOT NULL,
	`name` text,
	PRIMARY KEY(`workspace_id`, `audience`)
);
--> statement-breakpoint
CREATE INDEX `workspace_audiences_whole` ON `workspace_audiences` (`workspace_id`,`audience`,`name`);--> statement-breakpoint
CREATE INDEX `workspace_audiences_by_name` ON `workspace_audiences` (`audience`,`name`) WHERE name is not null;--> statement-breakpoint
CREATE TABLE `workspaces` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`folded_name` text NOT NULL,
	`created_at` integer NOT NULL,
	`removed_at` integer
);
--> statement-breakpoint
CREATE INDEX `workspaces_whole` ON `workspaces` (`id`,`name`,`folded_name`,`created_at`,`removed_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `workspaces_by_name` ON `workspaces` (`name`) WHERE removed_at is null;--> statement-breakpoint
CREATE INDEX `workspaces_by_folded_name` ON `workspaces` (`folded_name`) WHERE removed_at is null;--> statement-breakpoint
CREATE INDEX `workspaces_removed` ON `workspaces` (`id`) WHERE removed_at is not null;--> statement-breakpoint
CREATE INDEX `migrations_whole` ON `migrations` (`name`,`hash`,`applied_at`);--> statement-breakpoint
INSERT INTO `usage` (`id`, `records`, `content_bytes`) VALUES (1, 0, 0);--> statement-breakpoint
-- The index of a project: the terms of each record, without positions. The application scores by itself, and needs to know only which records have a term.
CREATE VIRTUAL TABLE word_index USING fts5(terms, content='', contentless_delete=1, detail=none, tokenize="ascii");--> statement-breakpoint
CREATE VIRTUAL TABLE word_counts USING fts5vocab(word_index, 'row');--> statement-breakpoint
-- What FTS5 keeps of each entry, which its own check does not look at.
CREATE INDEX `word_index_docsize_whole` ON `word_index_docsize` (`origin`,`sz`);
