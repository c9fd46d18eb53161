CREATE TABLE `releases` (
	`hash` text PRIMARY KEY NOT NULL,
	`state` text NOT NULL,
	`text` text,
	`reason` text,
	`why` text,
	`asked_by` text,
	`asked_at` integer,
	`decided_by` text,
	`decided_at` integer
);
--> statement-breakpoint
CREATE INDEX `releases_by_state` ON `releases` (`state`,`asked_by`);--> statement-breakpoint
INSERT INTO `releases` (`hash`, `state`, `decided_at`) SELECT `hash`, 'allowed', `allowed_at` FROM `allowed`;
