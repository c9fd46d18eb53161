CREATE TABLE `connections` (
	`id` text PRIMARY KEY NOT NULL,
	`token_digest` text NOT NULL,
	`code_digest` text NOT NULL,
	`client_id` text NOT NULL,
	`client_name` text NOT NULL,
	`client_host` text NOT NULL,
	`key_id` text NOT NULL,
	`resource` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer,
	`last_used_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `connections_tokenDigest_unique` ON `connections` (`token_digest`);--> statement-breakpoint
CREATE UNIQUE INDEX `connections_codeDigest_unique` ON `connections` (`code_digest`);--> statement-breakpoint
CREATE INDEX `connections_by_key` ON `connections` (`key_id`);--> statement-breakpoint
CREATE TABLE `grants` (
	`digest` text PRIMARY KEY NOT NULL,
	`stage` text NOT NULL,
	`client_id` text NOT NULL,
	`key_id` text NOT NULL,
	`redirect_uri` text NOT NULL,
	`resource` text NOT NULL,
	`challenge` text NOT NULL,
	`state` text,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `oauth_clients` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`redirect_uris` text NOT NULL,
	`secret_digest` text,
	`read_at` integer NOT NULL,
	`used_at` integer
);
