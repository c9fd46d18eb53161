DROP INDEX `records_by_status`;--> statement-breakpoint
DROP INDEX `records_by_expiry`;--> statement-breakpoint
CREATE INDEX `records_by_status` ON `records` (`status`,`seq`,`workspace_id`,`compared_key`,`audience`,`content_hash`,`fact_key_given`) WHERE status <> 'unverified' and forgotten_at is null;--> statement-breakpoint
CREATE INDEX `records_by_expiry` ON `records` (`expires_at`,`status`,`audience`,`workspace_id`) WHERE expires_at is not null and forgotten_at is null;