CREATE TABLE `audit` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`account_id` text,
	`project_id` text,
	`actor` text NOT NULL,
	`act` text NOT NULL,
	`target` text,
	`origin` text,
	`outcome` text NOT NULL,
	`details` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_by_account` ON `audit` (`account_id`,`seq`);--> statement-breakpoint
CREATE INDEX `audit_by_time` ON `audit` (`at`);