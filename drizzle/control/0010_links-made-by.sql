ALTER TABLE `invitations` ADD `made_by` text;--> statement-breakpoint
ALTER TABLE `entry_links` ADD `made_by` text;