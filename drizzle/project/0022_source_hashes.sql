DROP INDEX `sources_whole`;--> statement-breakpoint
ALTER TABLE `sources` ADD `hashes` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
CREATE INDEX `sources_whole` ON `sources` (`workspace_id`,`source_id`,`audience`,`hash`,`turn`,`hashes`);