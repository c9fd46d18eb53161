DROP INDEX `tool_lists_whole`;--> statement-breakpoint
ALTER TABLE `tool_lists` ADD `unpicked` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
CREATE INDEX `tool_lists_whole` ON `tool_lists` (`integration_id`,`tools`,`accepted`,`withheld`,`unpicked`,`ttl_ms`,`fetched_at`);