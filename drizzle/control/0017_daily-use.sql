CREATE TABLE `usage_daily` (
	`project_id` text NOT NULL,
	`day` integer NOT NULL,
	`tool` text NOT NULL,
	`key_id` text NOT NULL,
	`outcome` text NOT NULL,
	`duration_ms` integer NOT NULL,
	`calls` integer NOT NULL,
	PRIMARY KEY(`project_id`, `day`, `tool`, `key_id`, `outcome`, `duration_ms`)
);
--> statement-breakpoint
CREATE INDEX `usage_daily_whole` ON `usage_daily` (`day`,`project_id`,`tool`,`key_id`,`outcome`,`duration_ms`,`calls`);