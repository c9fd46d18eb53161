CREATE TABLE `access` (
	`member_id` text NOT NULL,
	`project_id` text NOT NULL,
	PRIMARY KEY(`member_id`, `project_id`)
);
--> statement-breakpoint
CREATE TABLE `accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`plan` text NOT NULL,
	`limits` text NOT NULL,
	`credential_policy` text DEFAULT 'reject' NOT NULL,
	`marked_policy` text DEFAULT 'caution' NOT NULL,
	`subscribed_at` integer,
	`subscribed_until` integer,
	`suspended_at` integer,
	`removed_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_name_unique` ON `accounts` (`name`);--> statement-breakpoint
CREATE INDEX `accounts_whole` ON `accounts` (`id`,`name`,`plan`,`limits`,`credential_policy`,`marked_policy`,`subscribed_at`,`subscribed_until`,`suspended_at`,`removed_at`,`created_at`);--> statement-breakpoint
CREATE TABLE `audit` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`account_id` text,
	`project_id` text,
	`actor` text NOT NULL,
	`act` text NOT NULL,
	`target` text,
	`via` text,
	`outcome` text NOT NULL,
	`details` text NOT NULL,
	`scope` text
);
--> statement-breakpoint
CREATE INDEX `audit_by_account` ON `audit` (`account_id`,`at`,`seq`);--> statement-breakpoint
CREATE INDEX `audit_by_act` ON `audit` (`account_id`,`act`,`at`,`seq`);--> statement-breakpoint
CREATE INDEX `audit_by_actor` ON `audit` (`account_id`,`actor`,`at`,`seq`);--> statement-breakpoint
CREATE INDEX `audit_by_project` ON `audit` (`account_id`,`project_id`,`at`,`seq`) WHERE project_id is not null;--> statement-breakpoint
CREATE INDEX `audit_of_records` ON `audit` (`project_id`,`target`,`seq`) WHERE act >= 'record.' and act < 'record/';--> statement-breakpoint
CREATE INDEX `audit_rejections` ON `audit` (`project_id`,`scope`,`seq`) WHERE act = 'record.reject';--> statement-breakpoint
CREATE INDEX `audit_rejections_by` ON `audit` (`project_id`,`actor`,`seq`) WHERE act = 'record.reject';--> statement-breakpoint
CREATE INDEX `audit_whole` ON `audit` (`at`,`seq`,`account_id`,`project_id`,`actor`,`act`,`target`,`via`,`outcome`,`details`,`scope`);--> statement-breakpoint
CREATE TABLE `browsers` (
	`digest` text PRIMARY KEY NOT NULL,
	`member_id` text NOT NULL,
	`used_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `browsers_whole` ON `browsers` (`digest`,`member_id`,`used_at`);--> statement-breakpoint
CREATE INDEX `browsers_by_member` ON `browsers` (`member_id`,`used_at`);--> statement-breakpoint
CREATE INDEX `browsers_by_use` ON `browsers` (`used_at`);--> statement-breakpoint
CREATE TABLE `call_errors` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`account_id` text NOT NULL,
	`project_id` text NOT NULL,
	`author_id` text NOT NULL,
	`key_id` text NOT NULL,
	`tool` text NOT NULL,
	`outcome` text NOT NULL,
	`reason` text NOT NULL,
	`calls` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `call_errors_by_account` ON `call_errors` (`account_id`,`at`,`seq`);--> statement-breakpoint
CREATE INDEX `call_errors_by_project` ON `call_errors` (`project_id`,`at`,`seq`);--> statement-breakpoint
CREATE INDEX `call_errors_by_author` ON `call_errors` (`author_id`,`at`,`seq`);--> statement-breakpoint
CREATE INDEX `call_errors_whole` ON `call_errors` (`at`,`seq`,`account_id`,`project_id`,`author_id`,`key_id`,`tool`,`outcome`,`reason`,`calls`);--> statement-breakpoint
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
CREATE INDEX `connections_whole` ON `connections` (`id`,`token_digest`,`code_digest`,`client_id`,`client_name`,`client_host`,`key_id`,`resource`,`created_at`,`expires_at`,`revoked_at`,`last_used_at`);--> statement-breakpoint
CREATE INDEX `connections_by_key` ON `connections` (`key_id`);--> statement-breakpoint
CREATE TABLE `usage_daily` (
	`project_id` text NOT NULL,
	`day` integer NOT NULL,
	`tool` text NOT NULL,
	`outcome` text NOT NULL,
	`key_id` text NOT NULL,
	`duration_ms` integer NOT NULL,
	`calls` integer NOT NULL,
	PRIMARY KEY(`project_id`, `day`, `tool`, `key_id`, `outcome`, `duration_ms`)
);
--> statement-breakpoint
CREATE INDEX `usage_daily_whole` ON `usage_daily` (`day`,`project_id`,`tool`,`outcome`,`key_id`,`duration_ms`,`calls`);--> statement-breakpoint
CREATE TABLE `departments` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `departments_whole` ON `departments` (`id`,`account_id`,`name`,`created_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `departments_by_name` ON `departments` (`account_id`,`name`);--> statement-breakpoint
CREATE TABLE `email_changes` (
	`member_id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`requested_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `email_changes_whole` ON `email_changes` (`member_id`,`email`,`requested_at`);--> statement-breakpoint
CREATE TABLE `enabled_integrations` (
	`integration_id` text NOT NULL,
	`project_id` text NOT NULL,
	PRIMARY KEY(`integration_id`, `project_id`)
);
--> statement-breakpoint
CREATE INDEX `enabled_by_project` ON `enabled_integrations` (`project_id`);--> statement-breakpoint
CREATE TABLE `entry_links` (
	`digest` text PRIMARY KEY NOT NULL,
	`member_id` text NOT NULL,
	`made_by` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `entry_links_whole` ON `entry_links` (`digest`,`member_id`,`made_by`,`created_at`,`expires_at`);--> statement-breakpoint
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
CREATE INDEX `grants_whole` ON `grants` (`digest`,`stage`,`client_id`,`key_id`,`redirect_uri`,`resource`,`challenge`,`state`,`expires_at`);--> statement-breakpoint
CREATE TABLE `integrations` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`slug` text NOT NULL,
	`name` text NOT NULL,
	`url` text NOT NULL,
	`headers` text NOT NULL,
	`mode` text NOT NULL,
	`tools` text,
	`timeout_ms` integer NOT NULL,
	`max_bytes` integer NOT NULL,
	`stateful` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`accepted_at` integer
);
--> statement-breakpoint
CREATE INDEX `integrations_whole` ON `integrations` (`id`,`account_id`,`slug`,`name`,`url`,`headers`,`mode`,`tools`,`timeout_ms`,`max_bytes`,`stateful`,`created_at`,`accepted_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `integrations_by_slug` ON `integrations` (`account_id`,`slug`);--> statement-breakpoint
CREATE TABLE `invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`digest` text NOT NULL,
	`account_id` text NOT NULL,
	`email` text NOT NULL,
	`role` text NOT NULL,
	`department_id` text,
	`project_ids` text NOT NULL,
	`made_by` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_digest_unique` ON `invitations` (`digest`);--> statement-breakpoint
CREATE INDEX `invitations_whole` ON `invitations` (`id`,`digest`,`account_id`,`email`,`role`,`department_id`,`project_ids`,`made_by`,`created_at`,`expires_at`);--> statement-breakpoint
CREATE INDEX `invitations_by_account` ON `invitations` (`account_id`);--> statement-breakpoint
CREATE TABLE `keys` (
	`id` text PRIMARY KEY NOT NULL,
	`digest` text NOT NULL,
	`shown` text NOT NULL,
	`label` text NOT NULL,
	`project_id` text NOT NULL,
	`member_id` text,
	`tool_names` text NOT NULL,
	`reads_histories` integer DEFAULT true NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`revoked_at` integer,
	`last_used_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `keys_digest_unique` ON `keys` (`digest`);--> statement-breakpoint
CREATE INDEX `keys_whole` ON `keys` (`id`,`digest`,`shown`,`label`,`project_id`,`member_id`,`tool_names`,`reads_histories`,`created_at`,`expires_at`,`revoked_at`,`last_used_at`);--> statement-breakpoint
CREATE INDEX `keys_by_project` ON `keys` (`project_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `keys_by_member` ON `keys` (`member_id`,`project_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `keys_by_shown` ON `keys` (`shown`);--> statement-breakpoint
CREATE INDEX `keys_unrevoked` ON `keys` (`member_id`,`project_id`,`expires_at`) WHERE revoked_at is null;--> statement-breakpoint
CREATE INDEX `keys_unrevoked_by_project` ON `keys` (`project_id`,`created_at`) WHERE revoked_at is null;--> statement-breakpoint
CREATE TABLE `members` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`role` text NOT NULL,
	`department_id` text,
	`history_access` text DEFAULT 'unconfirmed' NOT NULL,
	`created_at` integer NOT NULL,
	`removed_at` integer
);
--> statement-breakpoint
CREATE INDEX `members_whole` ON `members` (`id`,`account_id`,`email`,`name`,`role`,`department_id`,`history_access`,`created_at`,`removed_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `members_by_address` ON `members` (`account_id`,`email`) WHERE removed_at is null;--> statement-breakpoint
CREATE INDEX `members_by_email` ON `members` (`email`) WHERE removed_at is null;--> statement-breakpoint
CREATE INDEX `members_by_account` ON `members` (`account_id`);--> statement-breakpoint
CREATE TABLE `oauth_clients` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`redirect_uris` text NOT NULL,
	`secret_digest` text,
	`read_at` integer NOT NULL,
	`used_at` integer
);
--> statement-breakpoint
CREATE INDEX `oauth_clients_whole` ON `oauth_clients` (`id`,`kind`,`name`,`redirect_uris`,`secret_digest`,`read_at`,`used_at`);--> statement-breakpoint
CREATE TABLE `passwords` (
	`member_id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `passwords_whole` ON `passwords` (`member_id`,`hash`);--> statement-breakpoint
CREATE TABLE `projects` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`removed_at` integer,
	`credential_rules` text,
	`keeps_questions` integer DEFAULT false NOT NULL,
	`made_at` integer,
	`history_made_at` integer
);
--> statement-breakpoint
CREATE INDEX `projects_whole` ON `projects` (`id`,`account_id`,`name`,`created_at`,`removed_at`,`credential_rules`,`keeps_questions`,`made_at`,`history_made_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `projects_by_name` ON `projects` (`account_id`,`name`) WHERE removed_at is null;--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`digest` text NOT NULL,
	`member_id` text NOT NULL,
	`client_ip` text,
	`device` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_digest_unique` ON `sessions` (`digest`);--> statement-breakpoint
CREATE INDEX `sessions_whole` ON `sessions` (`id`,`digest`,`member_id`,`client_ip`,`device`,`created_at`,`expires_at`);--> statement-breakpoint
CREATE INDEX `sessions_by_member` ON `sessions` (`member_id`);--> statement-breakpoint
CREATE INDEX `sessions_by_end` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `undos` (
	`id` text PRIMARY KEY NOT NULL,
	`member_id` text NOT NULL,
	`action` text NOT NULL,
	`fields` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `undos_whole` ON `undos` (`id`,`member_id`,`action`,`fields`,`created_at`);--> statement-breakpoint
CREATE INDEX `undos_by_time` ON `undos` (`created_at`);--> statement-breakpoint
CREATE TABLE `tool_lists` (
	`integration_id` text PRIMARY KEY NOT NULL,
	`tools` text NOT NULL,
	`accepted` text NOT NULL,
	`withheld` integer DEFAULT 0 NOT NULL,
	`unpicked` text DEFAULT '[]' NOT NULL,
	`ttl_ms` integer NOT NULL,
	`fetched_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `tool_lists_whole` ON `tool_lists` (`integration_id`,`tools`,`accepted`,`withheld`,`unpicked`,`ttl_ms`,`fetched_at`);--> statement-breakpoint
-- A line of the audit log is never changed; it is erased only when it is old.
CREATE TRIGGER audit_append_only BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append only'); END;
--> statement-breakpoint
CREATE INDEX `migrations_whole` ON `migrations` (`name`,`hash`,`applied_at`);
