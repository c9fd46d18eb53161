DROP INDEX `keys_whole`;--> statement-breakpoint
ALTER TABLE `keys` ADD `reads_histories` integer DEFAULT true NOT NULL;--> statement-breakpoint
CREATE INDEX `keys_whole` ON `keys` (`id`,`digest`,`shown`,`label`,`project_id`,`member_id`,`tool_names`,`reads_histories`,`created_at`,`expires_at`,`revoked_at`,`last_used_at`);--> statement-breakpoint
DROP INDEX `members_whole`;--> statement-breakpoint
ALTER TABLE `members` ADD `history_access` text DEFAULT 'unconfirmed' NOT NULL;--> statement-breakpoint
CREATE INDEX `members_whole` ON `members` (`id`,`account_id`,`email`,`name`,`role`,`department_id`,`history_access`,`created_at`,`removed_at`);