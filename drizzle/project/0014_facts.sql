CREATE TABLE `recent_states` (
	`record_id` text NOT NULL,
	`hash` text NOT NULL,
	`saved_at` integer NOT NULL,
	PRIMARY KEY(`record_id`, `hash`)
);
--> statement-breakpoint
CREATE INDEX `recent_states_by_time` ON `recent_states` (`saved_at`);--> statement-breakpoint
DROP INDEX `records_by_fact_key`;--> statement-breakpoint
DROP INDEX `records_current_by_fact_key`;--> statement-breakpoint
ALTER TABLE `records` ADD `folded_key` text;--> statement-breakpoint
ALTER TABLE `records` ADD `compared_key` text GENERATED ALWAYS AS (coalesce(folded_key, fact_key)) VIRTUAL;--> statement-breakpoint
ALTER TABLE `records` ADD `verified_at` integer;--> statement-breakpoint
ALTER TABLE `records` ADD `ranked_at` integer GENERATED ALWAYS AS (coalesce(verified_at, created_at)) VIRTUAL;--> statement-breakpoint
ALTER TABLE `records` ADD `needs_review` integer DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE `records` SET `verified_at` = `created_at` WHERE `status` = 'verified';--> statement-breakpoint
UPDATE `records` SET `folded_key` = iif(`fact_key` GLOB '*[^ -~]*', '', lower(trim(`fact_key`)))
  WHERE `fact_key` <> lower(trim(`fact_key`)) OR (`fact_key_given` = 1 AND `fact_key` GLOB '*[^ -~]*') OR `fact_key` GLOB '*[ßς]*';--> statement-breakpoint
CREATE INDEX `records_by_source_state` ON `records` (`workspace_id`,`source_id`,`source_hash`,`audience`,`expires_at`) WHERE source_hash is not null and forgotten_at is null and status <> 'superseded';--> statement-breakpoint
CREATE INDEX `records_to_review` ON `records` (`forgotten_at`) WHERE needs_review = 1;--> statement-breakpoint
CREATE INDEX `records_by_fact_key` ON `records` (`workspace_id`,`compared_key`,`audience`,`ranked_at`,`seq`,`content_hash`,`verified_at`) WHERE fact_key_given = 1 and forgotten_at is null;--> statement-breakpoint
CREATE INDEX `records_current_by_fact_key` ON `records` (`workspace_id`,`compared_key`,`audience`,`status`,`content_hash`,`ranked_at`,`fact_key_given`) WHERE forgotten_at is null and status <> 'superseded';