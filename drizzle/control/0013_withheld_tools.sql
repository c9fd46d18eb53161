ALTER TABLE `integrations` ADD `stateful` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `integrations` ADD `accepted_at` integer;--> statement-breakpoint
ALTER TABLE `tool_lists` ADD `accepted` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `tool_lists` ADD `withheld` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- What is known now counts as accepted.
UPDATE `tool_lists` SET `accepted` = `tools`;
