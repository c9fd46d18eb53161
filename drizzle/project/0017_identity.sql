CREATE TABLE `identity` (
	`project_id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL
);
