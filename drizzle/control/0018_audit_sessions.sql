DROP INDEX `sessions_whole`;--> statement-breakpoint
ALTER TABLE `sessions` ADD `device` text;--> statement-breakpoint
CREATE INDEX `sessions_whole` ON `sessions` (`id`,`digest`,`member_id`,`origin`,`device`,`created_at`,`expires_at`);--> statement-breakpoint
DROP INDEX `audit_by_account`;--> statement-breakpoint
DROP INDEX `audit_by_act`;--> statement-breakpoint
DROP INDEX `audit_by_project`;--> statement-breakpoint
CREATE INDEX `audit_by_actor` ON `audit` (`account_id`,`actor`,`at`);--> statement-breakpoint
CREATE INDEX `audit_by_account` ON `audit` (`account_id`,`at`);--> statement-breakpoint
CREATE INDEX `audit_by_act` ON `audit` (`account_id`,`act`,`at`);--> statement-breakpoint
CREATE INDEX `audit_by_project` ON `audit` (`account_id`,`project_id`,`at`) WHERE project_id is not null;