DROP INDEX `audit_by_time`;--> statement-breakpoint
CREATE INDEX `audit_whole` ON `audit` (`at`,`seq`,`account_id`,`project_id`,`actor`,`act`,`target`,`origin`,`outcome`,`details`);--> statement-breakpoint
CREATE INDEX `accounts_whole` ON `accounts` (`id`,`name`,`plan`,`limits`,`credential_policy`,`subscribed_at`,`subscribed_until`,`suspended_at`,`created_at`);--> statement-breakpoint
CREATE INDEX `departments_whole` ON `departments` (`id`,`account_id`,`name`,`created_at`);--> statement-breakpoint
CREATE INDEX `keys_whole` ON `keys` (`id`,`digest`,`shown`,`label`,`project_id`,`member_id`,`tool_names`,`created_at`,`expires_at`,`revoked_at`,`last_used_at`);--> statement-breakpoint
CREATE INDEX `members_whole` ON `members` (`id`,`account_id`,`email`,`name`,`role`,`department_id`,`created_at`,`removed_at`);--> statement-breakpoint
CREATE INDEX `projects_whole` ON `projects` (`id`,`account_id`,`name`,`created_at`,`made_at`,`history_made_at`,`removed_at`);--> statement-breakpoint
CREATE INDEX `browsers_whole` ON `browsers` (`digest`,`member_id`,`used_at`);--> statement-breakpoint
CREATE INDEX `address_wishes_whole` ON `address_wishes` (`member_id`,`email`,`wished_at`);--> statement-breakpoint
CREATE INDEX `entry_links_whole` ON `entry_links` (`digest`,`member_id`,`made_by`,`created_at`,`expires_at`);--> statement-breakpoint
CREATE INDEX `invitations_whole` ON `invitations` (`id`,`digest`,`account_id`,`email`,`role`,`department_id`,`made_by`,`created_at`,`expires_at`);--> statement-breakpoint
CREATE INDEX `passwords_whole` ON `passwords` (`member_id`,`hash`);--> statement-breakpoint
CREATE INDEX `sessions_whole` ON `sessions` (`id`,`digest`,`member_id`,`origin`,`created_at`,`expires_at`);--> statement-breakpoint
CREATE INDEX `connections_whole` ON `connections` (`id`,`token_digest`,`code_digest`,`client_id`,`client_name`,`client_host`,`key_id`,`resource`,`created_at`,`expires_at`,`revoked_at`,`last_used_at`);--> statement-breakpoint
CREATE INDEX `grants_whole` ON `grants` (`digest`,`stage`,`client_id`,`key_id`,`redirect_uri`,`resource`,`challenge`,`state`,`expires_at`);--> statement-breakpoint
CREATE INDEX `oauth_clients_whole` ON `oauth_clients` (`id`,`kind`,`name`,`redirect_uris`,`secret_digest`,`read_at`,`used_at`);--> statement-breakpoint
CREATE INDEX `integrations_whole` ON `integrations` (`id`,`account_id`,`slug`,`name`,`url`,`headers`,`mode`,`tools`,`timeout_ms`,`max_bytes`,`stateful`,`created_at`,`accepted_at`);--> statement-breakpoint
CREATE INDEX `tool_lists_whole` ON `tool_lists` (`integration_id`,`tools`,`accepted`,`withheld`,`ttl_ms`,`fetched_at`);--> statement-breakpoint
CREATE INDEX `migrations_whole` ON `migrations` (`name`,`hash`,`applied_at`);