DROP INDEX `accounts_whole`;--> statement-breakpoint
ALTER TABLE `accounts` ADD `removed_at` integer;--> statement-breakpoint
CREATE INDEX `accounts_whole` ON `accounts` (`id`,`name`,`plan`,`limits`,`credential_policy`,`marked_policy`,`subscribed_at`,`subscribed_until`,`suspended_at`,`removed_at`,`created_at`);