CREATE TABLE `access` (
	`member_id` text NOT NULL,
	`project_id` text NOT NULL,
	PRIMARY KEY(`member_id`, `project_id`)
);
