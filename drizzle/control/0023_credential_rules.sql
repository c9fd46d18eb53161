DROP INDEX `projects_whole`;--> statement-breakpoint
ALTER TABLE `projects` ADD `credential_rules` text;--> statement-breakpoint
CREATE INDEX `projects_whole` ON `projects` (`id`,`account_id`,`name`,`created_at`,`made_at`,`history_made_at`,`removed_at`,`credential_rules`);